// SFTP on OpenSSH: a large file and many small ones, against rclone and against the program sftp with the same cipher.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runObjectStore } from './measure/object-store.mjs';

const PORT = 20_900;

export const run = (report) =>
  runObjectStore(report, {
    name: 'sftp',
    peer: 'sshd',
    port: PORT,
    entry: `export { openSftp } from './src/storage/backends/sftp/sftp.ts';`,
    start: async ({ openSftp }, world, server) => {
      const at = (name) => join(server, name);
      const place = at('home');
      const known = at('known_hosts');
      const rcloneEnv = {
        RCLONE_CONFIG_PEER_TYPE: 'sftp',
        RCLONE_CONFIG_PEER_HOST: '127.0.0.1',
        RCLONE_CONFIG_PEER_PORT: String(PORT),
        RCLONE_CONFIG_PEER_USER: 'root',
        RCLONE_CONFIG_PEER_KEY_FILE: at('client_ed25519'),
        RCLONE_CONFIG_PEER_KNOWN_HOSTS_FILE: known,
        RCLONE_CONFIG_PEER_SHELL_TYPE: 'none',
      };
      const settings = {
        host: '127.0.0.1',
        port: PORT,
        username: 'root',
        private_key: readFileSync(at('client_ed25519'), 'utf8'),
        known_hosts: readFileSync(known, 'utf8'),
      };
      const own = (verb, from, to) => {
        writeFileSync(at(`batch-${verb}`), `${verb} ${from} ${to}\n`);
        const options = ['-o', `UserKnownHostsFile=${known}`, '-o', 'Ciphers=aes128-gcm@openssh.com', '-i', at('client_ed25519')];
        return ['sftp', '-q', ...options, '-P', String(PORT), '-b', at(`batch-${verb}`), 'root@127.0.0.1'];
      };
      return { open: () => openSftp(settings, world), place, remote: `peer:${place}`, rcloneEnv, own: { name: 'sftp', argv: own } };
    },
  });
