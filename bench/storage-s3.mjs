// S3 on Ceph: a large file and many small ones, against rclone.
import { execFileSync } from 'node:child_process';
import { runObjectStore } from './measure/object-store.mjs';

const PORT = 20_880;
const [USER, PASSWORD] = ['fapeer', 'fapeer-pw'];

export const run = (report) =>
  runObjectStore(report, {
    name: 's3',
    peer: 'ceph-rgw',
    port: PORT,
    env: { PEER_USER: USER, PEER_PASS: PASSWORD },
    entry: `export { openS3 } from './src/storage/backends/s3/s3.ts';`,
    start: async ({ openS3 }, world) => {
      const endpoint = `http://127.0.0.1:${PORT}`;
      const rcloneEnv = {
        RCLONE_CONFIG_PEER_TYPE: 's3',
        RCLONE_CONFIG_PEER_PROVIDER: 'Ceph',
        RCLONE_CONFIG_PEER_ENDPOINT: endpoint,
        RCLONE_CONFIG_PEER_ACCESS_KEY_ID: USER,
        RCLONE_CONFIG_PEER_SECRET_ACCESS_KEY: PASSWORD,
      };
      delete process.env.AWS_CA_BUNDLE; // rclone refuses to work with it
      execFileSync('rclone', ['--config', '/dev/null', 'mkdir', 'peer:bench'], { env: { ...process.env, ...rcloneEnv } });
      const settings = { endpoint_url: endpoint, aws_access_key_id: USER, aws_secret_access_key: PASSWORD };
      return { open: () => openS3(settings, world), place: 'bench', remote: 'peer:bench', rcloneEnv };
    },
  });
