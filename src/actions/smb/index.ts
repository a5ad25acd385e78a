// Files on shares of Windows and samba. How they are carried is in actions/remote; the protocol is in storage/backends/smb.
import { defineFamily } from '../../core/action.ts';
import { flag, integer, number, text } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { makeDirectory, removeDirectory, removeFile } from '../remote/change.ts';
import { closeVerb, laterInit } from '../remote/connect-verbs.ts';
import { nameOf } from '../remote/look.ts';
import { pathVerb, pathVerbs } from '../remote/path-verbs.ts';

const SERVER = { type: 'smb', server: 'an SMB share' } as const;
const { changing, exists } = pathVerb(SERVER);

export const smb = defineFamily({
  name: 'smb',
  group: 'remote-smb',
  summary: 'Files on SMB shares: connect, look, upload, download, delete, make and remove directories, list.',
  actions: [
    laterInit({
      ...SERVER,
      name: 'FA_smb_later_init',
      args: {
        server: text('The server.', { role: 'host', minLength: 1 }),
        share: text('The share.', { minLength: 1 }),
        username: text('The name to log in with: `user`, `DOMAIN\\user` or `user@domain`.', { default: null }),
        password: text('The password to log in with.', { default: null, role: 'secret' }),
        port: integer('The port.', { default: 445, min: 1, max: 65_535 }),
        encrypt: flag('Whether the connection must be encrypted; one that is not is signed.', { default: true }),
        connection_timeout: number('Seconds to wait for an answer.', { default: 30, above: 0 }),
      },
      example: { args: { server: 'files.example.org', share: 'team', username: 'me', password: '${env:SMB_PASSWORD}' } },
    }),
    exists('Tells whether something is at a path of an SMB share.'),
    ...pathVerbs({
      ...SERVER,
      defaultPrefix: '',
      defaultDir: '',
      entry: shapes.object({ name: shapes.text(), is_dir: shapes.flag(), size: shapes.integer() }),
      told: (item) => ({ name: nameOf(item), is_dir: item.kind === 'dir', size: item.bytes }),
    }),
    changing('delete_path', 'Deletes one file of an SMB share.', 'removesLocation', removeFile),
    changing('mkdir', 'Makes a directory on an SMB share, with those that are missing above it.', 'writesLocation', makeDirectory),
    changing('rmdir', 'Removes an empty directory of an SMB share.', 'removesLocation', removeDirectory),
    closeVerb(SERVER),
  ],
});
