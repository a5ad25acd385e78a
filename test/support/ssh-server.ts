import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, { type Connection, type ServerChannel, type Session, type SFTPWrapper } from 'ssh2';
import type { SftpSettings } from '../../src/storage/backends/sftp/settings.ts';

/** How a server of a test answers; whatever it does not answer stays open. */
export interface SshBehaviour {
  /** Speaks SFTP by hand. */
  readonly sftp?: (stream: SFTPWrapper) => void;
  /** Speaks anything instead. */
  readonly channel?: (channel: ServerChannel) => void;
}

/** A server that lets everybody in and behaves as it is told; its settings have its key. */
export interface SshServer extends AsyncDisposable {
  readonly settings: SftpSettings;
}

export const openSshServer = async ({ sftp, channel }: SshBehaviour): Promise<SshServer> => {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const connections = new Set<Connection>();
  const server = new ssh2.Server({ hostKeys: [privateKey] }, (connection) => {
    connections.add(connection);
    (connection as Connection & { setNoDelay(on: boolean): void }).setNoDelay(true); // the types have forgotten it
    connection
      .on('error', () => {})
      .on('authentication', (request) => request.accept())
      .on('session', (accept) => {
        const session: Session = accept();
        if (sftp !== undefined) session.on('sftp', (start) => sftp(start()));
        // The types name the events that are usual.
        else (session as NodeJS.EventEmitter).on('subsystem', (start: () => ServerChannel) => channel?.(start()));
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const parsed = ssh2.utils.parseKey(privateKey);
  if (parsed instanceof Error) throw parsed;
  return {
    settings: {
      host: '127.0.0.1',
      port,
      username: 'anybody',
      password: 'anything',
      known_hosts: `[127.0.0.1]:${port} ${parsed.type} ${parsed.getPublicSSH().toString('base64')}`,
      timeout: 5,
    },
    async [Symbol.asyncDispose]() {
      for (const connection of connections) connection.end();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
};
