// One large file and many small ones to samba and back: against smbclient with the same protection, and against rclone.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DATA_FOLDER } from './data/ensure.mjs';
import { loadSources } from './measure/load-sources.mjs';
import { demandProgram, inPairs, measureHere, measureProgram, reportPairs } from './measure/pairs.mjs';

const MEGABYTES = Number(process.env.FACTOTUM_BENCH_MB ?? 1024);
const FILES = Number(process.env.FACTOTUM_BENCH_FILES ?? 10_000);
const AT_ONCE = 16;
const PORT = 20_840;
const PASSWORD = 'fapeer-pw';
const { signal } = new AbortController();

const ENTRY = `export { openSmb } from './src/storage/backends/smb/smb.ts';`;

const outgoing = (path, bytes) => ({
  bytes,
  chunks: ({ start }) => createReadStream(path, { start, highWaterMark: 1024 * 1024 }),
});

/** A small file in one piece. */
const small = (path) => ({
  bytes: 4096,
  async *chunks() {
    yield readFileSync(path);
  },
});

/** Work on many things, some at a time. */
const each = async (items, work) => {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of rest) await work(item);
    }),
  );
};

export const run = async (report) => {
  for (const program of ['smbd', 'smbclient', 'rclone']) demandProgram(program);
  mkdirSync(DATA_FOLDER, { recursive: true });
  const cwd = mkdtempSync(join(DATA_FOLDER, 'smb-'));
  const server = join(cwd, 'server');
  execFileSync('sh', ['test/peers/up.sh', 'samba', server, String(PORT)], {
    env: { ...process.env, PEER_OPT: 'default', PEER_PASS: PASSWORD },
  });
  const at = (name) => join(cwd, name);
  try {
    const { openSmb, createNetwork } = await loadSources(cwd, ENTRY);
    const bytes = MEGABYTES * 1024 * 1024;
    execFileSync('sh', ['-c', `head -c ${bytes} /dev/urandom > '${at('big')}'`]);
    mkdirSync(at('small'));
    for (let n = 0; n < FILES; n += 1) writeFileSync(join(at('small'), `f${n}`), Buffer.alloc(4096, n));
    const using = async (encrypt, work) => {
      const storage = openSmb(
        { server: '127.0.0.1', share: 'share', port: PORT, username: 'games', password: PASSWORD, encrypt },
        { location: 'smb:/', network: createNetwork(), rules: { allowPrivate: true }, clock: Date },
      );
      try {
        await work(storage);
      } finally {
        await storage[Symbol.asyncDispose]();
      }
    };
    const smbclient = (protection, line) =>
      measureProgram(
        [
          'smbclient',
          '-s',
          `${server}/smb.conf`,
          '-p',
          String(PORT),
          '-U',
          `games%${PASSWORD}`,
          `--client-protection=${protection}`,
          '//127.0.0.1/share',
          '-c',
          line,
        ],
        '/dev/null',
      );
    for (const [name, protection, encrypt] of [
      ['signed', 'sign', false],
      ['encrypted', 'encrypt', true],
    ]) {
      const up = measureHere(() => using(encrypt, (storage) => storage.write('ours', outgoing(at('big'), bytes), { signal })));
      reportPairs(report, `storage-smb/up/${name}`, 1, await inPairs(up, smbclient(protection, `put "${at('big')}" theirs`)));
      const down = measureHere(() =>
        using(encrypt, async (storage) => {
          const file = openSync(at('down'), 'w');
          for await (const chunk of await storage.read('ours', { signal })) writeSync(file, chunk);
          closeSync(file);
        }),
      );
      reportPairs(report, `storage-smb/down/${name}`, 1, await inPairs(down, smbclient(protection, `get theirs "${at('theirs')}"`)));
      execFileSync('cmp', [at('big'), at('down')]);
      execFileSync('cmp', [at('big'), join(server, 'share', 'ours')]);
    }

    writeFileSync(
      at('rclone.conf'),
      `[p]\ntype = smb\nhost = 127.0.0.1\nport = ${PORT}\nuser = games\npass = ${spawnSync('rclone', ['obscure', PASSWORD], { encoding: 'utf8' }).stdout}`,
    );
    const rclone = (from, to) =>
      measureProgram(
        ['rclone', '--config', at('rclone.conf'), '--transfers', String(AT_ONCE), 'copy', '--ignore-times', from, to],
        '/dev/null',
      );
    const names = readdirSync(at('small'));
    const upAll = measureHere(() =>
      using(false, (storage) => each(names, (name) => storage.write(`many/${name}`, small(join(at('small'), name)), { signal }))),
    );
    reportPairs(report, 'storage-smb/small-up/rclone', 0.67, await inPairs(upAll, rclone(at('small'), 'p:share/rclone')));
    mkdirSync(at('back'));
    const downAll = measureHere(() =>
      using(false, async (storage) => {
        const found = [];
        for await (const { path } of storage.list('many', { signal })) found.push(path);
        await each(found, async (path) => {
          for await (const chunk of await storage.read(path, { signal })) writeFileSync(join(at('back'), path.slice(5)), chunk);
        });
      }),
    );
    reportPairs(report, 'storage-smb/small-down/rclone', 0.67, await inPairs(downAll, rclone('p:share/rclone', at('back-rclone'))));
    execFileSync('diff', ['-r', at('small'), at('back')]);
  } finally {
    process.kill(-Number(readFileSync(join(server, 'pid'), 'utf8')), 'SIGTERM');
    rmSync(cwd, { recursive: true, force: true });
  }
};
