// FTP and FTPS on vsftpd: a large file and back, against curl. rclone fails with its data connections here.
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, createReadStream, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FOLDER } from './data/ensure.mjs';
import { loadSources } from './measure/load-sources.mjs';
import { demandProgram, inPairs, measureHere, measureProgram, reportPairs } from './measure/pairs.mjs';

const MEGABYTES = Number(process.env.FACTOTUM_BENCH_MB ?? 1024);
const PORT = 20_920;
const [USER, PASSWORD] = ['fapeer', 'fapeer-pw'];
const { signal } = new AbortController();

const ENTRY = `export { openFtpStorage } from './src/storage/backends/ftp/ftp.ts';`;

const measureVariant = async (report, cwd, { variant, port }) => {
  const server = join(cwd, variant);
  const at = (file) => join(cwd, file);
  const env = { ...process.env, PEER_OPT: variant, PEER_USER: USER, PEER_PASS: PASSWORD };
  execFileSync('sh', ['test/peers/up.sh', 'vsftpd', server, String(port)], { env });
  try {
    const { openFtpStorage, createNetwork } = await loadSources(cwd, ENTRY);
    const isSecure = variant === 'tls';
    const ca = isSecure ? { ca: readFileSync(join(server, 'ca.pem'), 'utf8') } : {};
    const storage = openFtpStorage(
      { host: '127.0.0.1', port, username: USER, password: PASSWORD, tls: isSecure, ...ca },
      { location: 'ftp:/', network: createNetwork(), rules: { allowPrivate: true }, clock: Date },
    );
    const bytes = MEGABYTES * 1024 * 1024;
    const content = { bytes, chunks: ({ start }) => createReadStream(at('big'), { start, highWaterMark: 1024 * 1024 }) };
    const curl = (...rest) =>
      measureProgram(
        ['curl', '-s', ...(isSecure ? ['--ssl-reqd', '--cacert', join(server, 'ca.pem')] : []), '--user', `${USER}:${PASSWORD}`, ...rest],
        '/dev/null',
      );
    const url = `ftp://127.0.0.1:${port}/theirs`;
    const up = measureHere(() => storage.write('ours', content, { signal }));
    reportPairs(report, `storage-ftp/up/${variant}`, 1, await inPairs(up, curl('-T', at('big'), url)));
    const down = measureHere(async () => {
      const file = openSync(at('down'), 'w');
      for await (const chunk of await storage.read('ours', { signal })) writeSync(file, chunk);
      closeSync(file);
    });
    reportPairs(report, `storage-ftp/down/${variant}`, 1, await inPairs(down, curl('-o', at('theirs'), url)));
    execFileSync('cmp', [at('big'), at('down')]);
    await storage[Symbol.asyncDispose]();
  } finally {
    process.kill(-Number(readFileSync(join(server, 'pid'), 'utf8')), 'SIGTERM');
  }
};

export const run = async (report) => {
  demandProgram('curl');
  mkdirSync(DATA_FOLDER, { recursive: true });
  const cwd = mkdtempSync(join(DATA_FOLDER, 'ftp-'));
  chmodSync(cwd, 0o755); // the account that logs in goes through it
  try {
    execFileSync('sh', ['-c', `head -c ${MEGABYTES * 1024 * 1024} /dev/urandom > '${join(cwd, 'big')}'`]);
    await measureVariant(report, cwd, { variant: 'plain', port: PORT });
    await measureVariant(report, cwd, { variant: 'tls', port: PORT + 20 });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
};
