// Files on servers that speak SFTP. How they are carried is in actions/remote; the protocol is in storage/backends/sftp.
import { defineFamily } from '../../core/action.ts';
import { integer, number, path, text } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { removeFile } from '../remote/change.ts';
import { closeVerb, laterInit } from '../remote/connect-verbs.ts';
import { nameOf } from '../remote/look.ts';
import { pathVerb, pathVerbs } from '../remote/path-verbs.ts';

const SERVER = { type: 'sftp', server: 'an SFTP server' } as const;

export const sftp = defineFamily({
  name: 'sftp',
  group: 'remote-sftp',
  summary: 'Files on SFTP servers: connect, upload, download, delete, list.',
  actions: [
    laterInit({
      ...SERVER,
      name: 'FA_sftp_later_init',
      args: {
        host: text('The server.', { role: 'host', minLength: 1 }),
        username: text('The name to log in with.', { minLength: 1 }),
        password: text('The password to log in with.', { default: null, role: 'secret' }),
        key_filename: path('The private key to log in with.', { default: null, role: 'reads' }),
        port: integer('The port.', { default: 22, min: 1, max: 65_535 }),
        known_hosts: path('The file of known host keys; null: that of the owner. A server that is not in it is refused.', {
          default: null,
          role: 'reads',
        }),
        timeout: number('Seconds to wait for an answer.', { default: 15, above: 0 }),
        passphrase: text('What opens the private key, where it is encrypted.', { default: null, role: 'secret' }),
      },
      example: { args: { host: 'files.example.org', username: 'me', key_filename: 'id_ed25519', known_hosts: 'known_hosts' } },
    }),
    closeVerb(SERVER),
    ...pathVerbs({ ...SERVER, defaultDir: '.', entry: shapes.text(), told: nameOf }),
    pathVerb(SERVER).changing('delete_path', 'Deletes one file of an SFTP server.', 'removesLocation', removeFile),
  ],
});
