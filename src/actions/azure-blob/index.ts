// Blobs of Azure. How they are carried is in actions/remote; the protocol is in storage/backends/azure.
import { defineFamily } from '../../core/action.ts';
import { json, text } from '../../core/args.ts';
import { laterInit } from '../remote/connect-verbs.ts';
import { objectVerbs } from '../remote/object-verbs.ts';

export const azureBlob = defineFamily({
  name: 'azure-blob',
  group: 'remote-azure',
  summary: 'Blobs in Azure: connect, upload, download, delete, list.',
  actions: [
    laterInit({
      type: 'azure',
      name: 'FA_azure_blob_later_init',
      server: 'Azure Blob storage',
      args: {
        connection_string: text('The connection string of the account.', { default: null, role: 'secret' }),
        account_url: text('The address of the account, where there is no connection string.', { default: null, role: 'url' }),
        credential: json('The key or shared access signature that goes with it.', { default: null, role: 'secret' }),
      },
      example: { args: { connection_string: '${env:AZURE_CONNECTION}' } },
    }),
    ...objectVerbs({
      type: 'azure',
      prefix: 'FA_azure_blob',
      service: 'Azure Blob storage',
      object: 'blob',
      keys: { bucket: 'container', key: 'blob_name', uploadPrefix: 'name_prefix', listPrefix: 'name_prefix' },
      verbs: { remove: 'delete_blob', list: 'list_container' },
      has: 'overwrite',
    }),
  ],
});
