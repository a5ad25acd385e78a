// FA_download_file and the bare session against curl: one large file of nginx, over http and https, to a file.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createFactotum } from '../dist/index.js';
import { DATA_FOLDER } from './data/ensure.mjs';
import { loadSources } from './measure/load-sources.mjs';
import { demandProgram, inPairs, measureHere, measureProgram, reportPairs } from './measure/pairs.mjs';

const PORT = 20_960;
const MEGABYTES = Number(process.env.FACTOTUM_BENCH_MB ?? 1024);
const { signal } = new AbortController();

const ENTRY = `export { openHttpSession } from './src/lib/net/http-session.ts';`;

export const run = async (report) => {
  demandProgram('curl');
  mkdirSync(DATA_FOLDER, { recursive: true });
  const cwd = mkdtempSync(join(DATA_FOLDER, 'http-'));
  const at = (name) => join(cwd, name);
  execFileSync('sh', ['test/peers/up.sh', 'nginx', at('server'), String(PORT)]);
  try {
    const { openHttpSession, createNetwork } = await loadSources(cwd, ENTRY);
    const source = at('server/files/dl/big');
    execFileSync('sh', ['-c', `head -c ${MEGABYTES * 1024 * 1024} /dev/urandom > '${source}'`]);
    const ca = readFileSync(at('server/ca.pem'), 'utf8');
    for (const [scheme, origin] of [
      ['http', `http://127.0.0.1:${PORT}`],
      ['https', `https://localhost:${PORT + 1}`],
    ]) {
      const url = `${origin}/dl/big`;
      const curl = measureProgram(['curl', '-sf', '--cacert', at('server/ca.pem'), '-o', at('theirs'), url], '/dev/null');
      const session = openHttpSession({ origin: new URL(origin), network: createNetwork(), rules: { allowPrivate: true }, ca });
      const read = measureHere(async () => {
        const file = openSync(at('ours'), 'w');
        const { body } = await session.send({ method: 'GET', path: '/dl/big', signal });
        for await (const chunk of body) writeSync(file, chunk);
        closeSync(file);
      });
      reportPairs(report, `storage-http/${scheme}/session/curl`, 1, await inPairs(read, curl));
      execFileSync('cmp', [source, at('ours')]);
      await session[Symbol.asyncDispose]();
      const factotum = createFactotum({ cwd, log: { level: 'silent' }, outbound: { privateHosts: ['127.0.0.1', 'localhost'], ca } });
      const download = measureHere(async () => {
        const { ok, results } = await factotum.run([['FA_download_file', { file_url: url, file_name: 'ours', max_bytes: 0 }]]);
        if (!ok) throw new Error(JSON.stringify(results));
      });
      reportPairs(report, `storage-http/${scheme}/download/curl`, 1, await inPairs(download, curl));
      execFileSync('cmp', [source, at('ours')]);
      await factotum.close();
    }
  } finally {
    process.kill(-Number(readFileSync(at('server/pid'), 'utf8')), 'SIGTERM');
    rmSync(cwd, { recursive: true, force: true });
  }
};
