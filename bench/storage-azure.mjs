// Azure Blob on Azurite: a large file and many small ones, against rclone. FACTOTUM_TEST_AZURITE names the program of the emulator.

import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { runObjectStore } from './measure/object-store.mjs';

const PORT = 20_920;
const ACCOUNT = 'devstoreaccount1';
/** The key that every emulator has. */
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** Lets rclone in, which takes no other credentials over http. */
const signature = () => {
  const until = `${new Date(Date.now() + 3_600_000 * 4).toISOString().slice(0, 19)}Z`;
  const given = { sp: 'rwdlacup', ss: 'b', srt: 'sco', st: '', se: until, sip: '', spr: 'https,http', sv: '2021-12-02', ses: '' };
  const text = `${[ACCOUNT, ...Object.values(given)].join('\n')}\n`;
  const sig = createHmac('sha256', Buffer.from(KEY, 'base64')).update(text).digest('base64');
  return new URLSearchParams([...Object.entries(given).filter(([, value]) => value !== ''), ['sig', sig]]).toString();
};

export const run = (report) => {
  const { FACTOTUM_TEST_AZURITE: azurite } = process.env;
  if (azurite === undefined)
    throw new Error('FACTOTUM_TEST_AZURITE must name node_modules/azurite/dist/src/blob/main.js of an installed azurite.');
  return runObjectStore(report, {
    name: 'azure',
    peer: 'azurite',
    port: PORT,
    env: { AZURITE: azurite },
    entry: `export { openAzure } from './src/storage/backends/azure/azure.ts';`,
    start: async ({ openAzure }, world) => {
      const url = `http://127.0.0.1:${PORT}/${ACCOUNT}`;
      const rcloneEnv = { RCLONE_CONFIG_PEER_TYPE: 'azureblob', RCLONE_CONFIG_PEER_SAS_URL: `${url}?${signature()}` };
      execFileSync('rclone', ['--config', '/dev/null', 'mkdir', 'peer:bench'], { env: { ...process.env, ...rcloneEnv } });
      return { open: () => openAzure({ account_url: url, credential: KEY }, world), place: 'bench', remote: 'peer:bench', rcloneEnv };
    },
  });
};
