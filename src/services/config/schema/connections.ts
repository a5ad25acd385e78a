import { z } from 'zod';
import { flag, name, oneOf, path, plain, secret, text, wait } from './keys.ts';

const kind = <const T extends string, const S extends z.ZodRawShape>(type: T, shape: S) =>
  z.strictObject({ type: z.literal(type).meta({ description: 'The kind of storage.' }), ...shape });

const port = (usual: number) => z.int().min(1).max(65_535).default(usual).meta({ description: 'The port.' });
const timeout = (usual: number) => wait('Seconds to wait for an answer.').default(usual);
const username = text('The name to log in with.');
const password = secret('The password to log in with.');

/** `[connections.NAME]`: what `scheme+NAME://` in a location stands for. */
export const connectionTables = z
  .record(
    name('The name of a connection.'),
    z.discriminatedUnion('type', [
      kind('s3', {
        aws_access_key_id: secret('The access key; left out, the usual credential chain.').exactOptional(),
        aws_secret_access_key: secret('Its secret.').exactOptional(),
        region_name: plain(
          'The region; left out, what variables or the profile say, and what the server tells of a bucket.',
        ).exactOptional(),
        endpoint_url: text('The server, where it is not Amazon.').exactOptional(),
        aws_session_token: secret('The token that goes with temporary keys.').exactOptional(),
        anonymous: flag('Whether requests go without credentials, to what everybody may read.').default(false),
        addressing: oneOf(
          ['auto', 'path', 'virtual'],
          'Whether the bucket stands in the path or in front of the host; auto takes the host at Amazon, the path elsewhere.',
        ).default('auto'),
        checksum: oneOf(
          ['sha256', 'md5', 'none'],
          'The digest that the server compares and keeps; left out, sha256 at Amazon and md5 elsewhere.',
        ).exactOptional(),
        exclusive_writes: flag(
          'Whether the server honours If-None-Match, so that a write can refuse to replace; left out, at Amazon only.',
        ).exactOptional(),
        ca_file: path('Certificates of authorities to trust instead of those of the system.').exactOptional(),
        verify_tls: flag('Whether the certificate of the server is checked.').default(true),
        timeout: timeout(60),
      }),
      kind('azure', {
        connection_string: secret('The connection string of the account.').exactOptional(),
        account_url: text('The address of the account, where there is no connection string.').exactOptional(),
        credential: secret('The key or shared access signature that goes with it.').exactOptional(),
        bearer_token: secret('An access token of Microsoft Entra, instead of both.').exactOptional(),
        anonymous: flag('Whether requests go without credentials, to what everybody may read.').default(false),
        ca_file: path('Certificates of authorities to trust instead of those of the system.').exactOptional(),
        verify_tls: flag('Whether the certificate of the server is checked.').default(true),
        timeout: timeout(60),
      }),
      kind('drive', {
        token_path: path('The file that keeps the token; it is rewritten when the token is renewed.'),
        credentials_path: path('The file with the credentials of the application.'),
      }),
      kind('dropbox', { oauth2_access_token: secret('The access token.') }),
      kind('onedrive', { access_token: secret('The access token.') }),
      kind('box', {
        access_token: secret('The access token.'),
        client_id: text('The id of the application.').exactOptional(),
        client_secret: secret('The secret of the application.').exactOptional(),
      }),
      kind('sftp', {
        host: text('The server.'),
        username,
        password: password.exactOptional(),
        key_filename: path('The private key to log in with.').exactOptional(),
        passphrase: secret('What opens the private key, where it is encrypted.').exactOptional(),
        agent: flag('Whether the keys of the agent (`SSH_AUTH_SOCK`) are tried.').default(false),
        port: port(22),
        known_hosts: path("The file of known host keys; left out, the user's own.").exactOptional(),
        legacy_algorithms: flag('Whether SHA-1 and CBC are allowed, for servers that know nothing else.').default(false),
        timeout: timeout(15),
      }),
      kind('ftp', {
        host: text('The server.'),
        username: username.default('anonymous'),
        password: password.exactOptional(),
        port: port(21),
        tls: flag('Whether the connection is encrypted (explicit TLS).').default(false),
        implicit: flag('Whether it is encrypted from its first byte (implicit TLS, usually on port 990).').default(false),
        verify_tls: flag('Whether the certificate of the server is checked.').default(true),
        ca_file: path('Certificates of authorities to trust instead of those of the system.').exactOptional(),
        passive: flag('Whether the server opens the port for data.').default(true),
        timeout: timeout(30),
      }),
      kind('webdav', {
        base_url: text('The address of the top directory.'),
        username: username.exactOptional(),
        password: password.exactOptional(),
        token: secret('The token to log in with, instead of a name and a password.').exactOptional(),
        ca_file: path(
          'Certificates of the authority that the certificate of the server comes from, instead of those of the system.',
        ).exactOptional(),
        allow_private_hosts: flag('Whether the address may lie in a private network.').default(false),
        verify_tls: flag('Whether the certificate of the server is checked.').default(true),
        timeout: timeout(30),
      }),
      kind('smb', {
        server: text('The server.'),
        share: plain('The share.'),
        username: username.exactOptional(),
        password: password.exactOptional(),
        port: port(445),
        encrypt: flag('Whether the connection is encrypted.').default(true),
        connection_timeout: timeout(30),
      }),
    ]),
  )
  .default({})
  .meta({ description: 'Storage elsewhere, under names that locations use.' });
