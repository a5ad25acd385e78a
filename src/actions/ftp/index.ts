// Files on servers that speak FTP and FTPS. How they are carried is in actions/remote; the protocol is in storage/backends/ftp.
import { defineFamily } from '../../core/action.ts';
import { flag, integer, number, text } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { removeFile } from '../remote/change.ts';
import { closeVerb, laterInit } from '../remote/connect-verbs.ts';
import { nameOf } from '../remote/look.ts';
import { pathVerb, pathVerbs } from '../remote/path-verbs.ts';

const SERVER = { type: 'ftp', server: 'an FTP server' } as const;

export const ftp = defineFamily({
  name: 'ftp',
  group: 'remote-ftp',
  summary: 'Files on FTP and FTPS servers: connect, upload, download, delete, list.',
  actions: [
    laterInit({
      ...SERVER,
      name: 'FA_ftp_later_init',
      args: {
        host: text('The server.', { role: 'host', minLength: 1 }),
        username: text('The name to log in with.', { default: 'anonymous' }),
        password: text('The password to log in with.', { default: '', role: 'secret' }),
        port: integer('The port.', { default: 21, min: 1, max: 65_535 }),
        tls: flag('Whether the connection is encrypted (explicit TLS).', { default: false }),
        timeout: number('Seconds to wait for an answer.', { default: 30, above: 0 }),
        passive: flag('Whether the server opens the port for data.', { default: true }),
      },
      example: { args: { host: 'files.example.org', username: 'me', password: '${env:FTP_PASSWORD}', tls: true } },
    }),
    closeVerb(SERVER),
    ...pathVerbs({ ...SERVER, defaultDir: '.', entry: shapes.text(), told: nameOf }),
    pathVerb(SERVER).changing('delete_path', 'Deletes one file of an FTP server.', 'removesLocation', removeFile),
  ],
});
