// Whole transfers, as users start them, against rclone: many small files, nothing to do, from one service to another.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FOLDER } from './data/ensure.mjs';
import { demandProgram, inPairs, measureProgram, reportPairs } from './measure/pairs.mjs';

const FILES = Number(process.env.FACTOTUM_BENCH_FILES ?? 10_000);
const MEGABYTES = Number(process.env.FACTOTUM_BENCH_MB ?? 1024);
const [USER, PASSWORD] = ['fapeer', 'fapeer-pw'];
const [S3_PORT, SFTP_PORT] = [20_840, 20_860];
/** What rclone is tried with; the quickest one counts. */
const RCLONE_TRANSFERS = [4, 8, 16];

const startPeer = (cwd, name, port) => {
  const folder = join(cwd, name);
  execFileSync('sh', ['test/peers/up.sh', name, folder, String(port)], { env: { ...process.env, PEER_USER: USER, PEER_PASS: PASSWORD } });
  return { folder, stop: () => process.kill(-Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGTERM') };
};

/** The same two services for both programs. */
const configure = (at, sshd) => {
  const endpoint = `http://127.0.0.1:${S3_PORT}`;
  const key = join(sshd.folder, 'client_ed25519');
  writeFileSync(
    at('factotum.toml'),
    `[connections.s3]
type = "s3"
aws_access_key_id = "${USER}"
aws_secret_access_key = "${PASSWORD}"
endpoint_url = "${endpoint}"
[connections.sftp]
type = "sftp"
host = "127.0.0.1"
port = ${SFTP_PORT}
username = "root"
key_filename = "${key}"
known_hosts = "${join(sshd.folder, 'known_hosts')}"
`,
  );
  delete process.env.AWS_CA_BUNDLE; // rclone refuses to work with it
  Object.assign(process.env, {
    XDG_STATE_HOME: at('state'),
    RCLONE_CONFIG_S3_TYPE: 's3',
    RCLONE_CONFIG_S3_PROVIDER: 'Ceph',
    RCLONE_CONFIG_S3_ENDPOINT: endpoint,
    RCLONE_CONFIG_S3_ACCESS_KEY_ID: USER,
    RCLONE_CONFIG_S3_SECRET_ACCESS_KEY: PASSWORD,
    RCLONE_CONFIG_SFTP_TYPE: 'sftp',
    RCLONE_CONFIG_SFTP_HOST: '127.0.0.1',
    RCLONE_CONFIG_SFTP_PORT: String(SFTP_PORT),
    RCLONE_CONFIG_SFTP_USER: 'root',
    RCLONE_CONFIG_SFTP_KEY_FILE: key,
    RCLONE_CONFIG_SFTP_DISABLE_HASHCHECK: 'true',
  });
};

const ours = (at, verb, from, to, ...more) => {
  const argv = [process.execPath, 'dist/bin/factotum.cjs', verb, '--config', at('factotum.toml'), from, to, '--no-history', '-q', ...more];
  return measureProgram(argv, '/dev/null');
};

const rclone = (transfers, verb, from, to) =>
  measureProgram(['rclone', '--config', '/dev/null', '--transfers', String(transfers), '--checkers', '16', verb, from, to], '/dev/null');

export const run = async (report) => {
  demandProgram('rclone');
  mkdirSync(DATA_FOLDER, { recursive: true });
  const cwd = mkdtempSync(join(DATA_FOLDER, 'transfers-'));
  const at = (file) => join(cwd, file);
  const [ceph, sshd] = [startPeer(cwd, 'ceph-rgw', S3_PORT), startPeer(cwd, 'sshd', SFTP_PORT)];
  try {
    configure(at, sshd);
    execFileSync('rclone', ['--config', '/dev/null', 'mkdir', 's3:bench']);
    mkdirSync(at('small'));
    for (let n = 0; n < FILES; n += 1) writeFileSync(join(at('small'), `f${n}`), Buffer.alloc(4096, n));
    execFileSync('sh', ['-c', `head -c ${MEGABYTES * 1024 * 1024} /dev/urandom > '${at('big')}'`]);
    const folder = `${sshd.folder}/files`;
    mkdirSync(folder);
    const places = { s3: ['s3://bench/', 's3:bench/'], sftp: [`sftp://${folder}/`, `sftp:${folder}/`] };

    for (const [service, [here, there]] of Object.entries(places)) {
      let round = 0;
      const fresh = (make) => () => {
        round += 1;
        return make(round)();
      };
      const sending = fresh((n) => ours(at, 'copy', at('small'), `${here}ours${n}`, '--max-workers', '16'));
      const peers = RCLONE_TRANSFERS.map((transfers) => fresh((n) => rclone(transfers, 'copy', at('small'), `${there}theirs${n}`)));
      const quickest = async () => {
        const times = [];
        for (const peer of peers) times.push(await peer());
        return times.sort((one, other) => one.wall - other.wall)[0];
      };
      reportPairs(report, `transfers/${service}/small/rclone`, 0.67, await inPairs(sending, quickest));
      await ours(at, 'copy', at('small'), `${here}same`, '--max-workers', '16')();
      await rclone(16, 'copy', at('small'), `${there}same-theirs`)();
      reportPairs(
        report,
        `transfers/${service}/nothing-to-do/rclone`,
        1,
        await inPairs(ours(at, 'sync', at('small'), `${here}same`), rclone(16, 'sync', at('small'), `${there}same-theirs`)),
      );
    }
    // From one service to the other it should take no longer than the slower of both ways alone.
    const [s3, sftp] = [places.s3[0], places.sftp[0]];
    await ours(at, 'copy', at('big'), `${s3}big`)();
    const down = ours(at, 'copy', `${s3}big`, at('down'), '--no-resume');
    const up = ours(at, 'copy', at('big'), `${sftp}up`, '--no-resume');
    const slower = async () => {
      const [one, other] = [await down(), await up()];
      return one.wall > other.wall ? one : other;
    };
    const both = ours(at, 'copy', `${s3}big`, `${sftp}across`, '--no-resume');
    reportPairs(report, 'transfers/s3-to-sftp/slower-way', 1 / 0.9, await inPairs(both, slower));
    execFileSync('cmp', [at('big'), join(folder, 'across')]);
  } finally {
    ceph.stop();
    sshd.stop();
    rmSync(cwd, { recursive: true, force: true });
  }
};
