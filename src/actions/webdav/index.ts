// Files on servers that speak WebDAV. How they are carried is in actions/remote; the protocol is in storage/backends/webdav.
import { defineFamily } from '../../core/action.ts';
import { flag, number, text } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { makeCollection, removeAll } from '../remote/change.ts';
import { closeVerb, laterInit } from '../remote/connect-verbs.ts';
import { nameOf } from '../remote/look.ts';
import { pathVerb, pathVerbs } from '../remote/path-verbs.ts';

const SERVER = { type: 'webdav', server: 'a WebDAV server' } as const;
const { changing, exists } = pathVerb(SERVER);

export const webdav = defineFamily({
  name: 'webdav',
  group: 'remote-webdav',
  summary: 'Files on WebDAV servers: connect, look, upload, download, delete, make collections, list.',
  actions: [
    laterInit({
      ...SERVER,
      name: 'FA_webdav_later_init',
      args: {
        base_url: text('The address of the top directory.', { role: 'url', minLength: 1 }),
        username: text('The name to log in with.', { default: null }),
        password: text('The password to log in with.', { default: null, role: 'secret' }),
        allow_private_hosts: flag('Whether the address may lie in a private network; only the owner may say so.', { default: false }),
        timeout: number('Seconds to wait for an answer.', { default: 30, above: 0 }),
        verify_tls: flag('Whether the certificate of the server is checked.', { default: true }),
      },
      example: { args: { base_url: 'https://cloud.example.org/dav/', username: 'me', password: '${env:DAV_PASSWORD}' } },
    }),
    exists('Tells whether something is at a path of a WebDAV server.'),
    ...pathVerbs({
      ...SERVER,
      defaultPrefix: '',
      defaultDir: '',
      entry: shapes.object({
        href: shapes.text(),
        name: shapes.text(),
        is_dir: shapes.flag(),
        size: shapes.integer(),
        last_modified: shapes.nullable(shapes.text()),
      }),
      // The way from `base_url`, as it stands in an address.
      told: (item) => ({
        href: `${item.path.split('/').map(encodeURIComponent).join('/')}${item.kind === 'dir' ? '/' : ''}`,
        name: nameOf(item),
        is_dir: item.kind === 'dir',
        size: item.bytes,
        last_modified: item.modifiedMs === undefined ? null : new Date(item.modifiedMs).toUTCString(),
      }),
    }),
    changing('delete_path', 'Deletes a file of a WebDAV server, or a collection with everything in it.', 'removesLocation', removeAll),
    changing('mkcol', 'Makes a collection on a WebDAV server, in one that exists.', 'writesLocation', makeCollection),
    closeVerb(SERVER),
  ],
});
