// WebDAV on Apache: a large file and many small ones, against rclone.
import { execFileSync } from 'node:child_process';
import { runObjectStore } from './measure/object-store.mjs';

const PORT = 20_920;
const [USER, PASSWORD] = ['fapeer', 'fapeer-pw'];

export const run = (report) =>
  runObjectStore(report, {
    name: 'webdav',
    peer: 'apache-dav',
    port: PORT,
    env: { PEER_USER: USER, PEER_PASS: PASSWORD },
    entry: `export { openWebdav } from './src/storage/backends/webdav/webdav.ts';`,
    start: async ({ openWebdav }, world) => {
      const base_url = `http://127.0.0.1:${PORT}/basic/`;
      const rcloneEnv = {
        RCLONE_CONFIG_PEER_TYPE: 'webdav',
        RCLONE_CONFIG_PEER_VENDOR: 'other',
        RCLONE_CONFIG_PEER_URL: base_url,
        RCLONE_CONFIG_PEER_USER: USER,
        RCLONE_CONFIG_PEER_PASS: execFileSync('rclone', ['obscure', PASSWORD], { encoding: 'utf8' }).trim(),
      };
      return {
        open: () => openWebdav({ base_url, username: USER, password: PASSWORD }, world),
        place: 'bench',
        remote: 'peer:bench',
        rcloneEnv,
      };
    },
  });
