// Objects of S3 and of what speaks like it. How they are carried is in actions/remote; the protocol is in storage/backends/s3.
import { defineFamily } from '../../core/action.ts';
import { text } from '../../core/args.ts';
import { laterInit } from '../remote/connect-verbs.ts';
import { objectVerbs } from '../remote/object-verbs.ts';

export const s3 = defineFamily({
  name: 's3',
  group: 'remote-s3',
  summary: 'Objects in S3 and services that speak like it: connect, upload, download, delete, list.',
  actions: [
    laterInit({
      type: 's3',
      name: 'FA_s3_later_init',
      server: 'S3',
      args: {
        aws_access_key_id: text('The access key; null: the owner’s usual credential chain.', { default: null, role: 'secret' }),
        aws_secret_access_key: text('Its secret.', { default: null, role: 'secret' }),
        region_name: text('The region; null: what the server tells.', { default: null }),
        endpoint_url: text('The server, where it is not Amazon.', { default: null, role: 'url' }),
      },
      example: {
        args: { aws_access_key_id: '${env:S3_KEY}', aws_secret_access_key: '${env:S3_SECRET}', endpoint_url: 'https://s3.example.org' },
      },
    }),
    ...objectVerbs({
      type: 's3',
      prefix: 'FA_s3',
      service: 'S3',
      object: 'object',
      keys: { bucket: 'bucket', key: 'key', uploadPrefix: 'key_prefix', listPrefix: 'prefix' },
      verbs: { remove: 'delete_object', list: 'list_bucket' },
      has: 'progress_name',
    }),
  ],
});
