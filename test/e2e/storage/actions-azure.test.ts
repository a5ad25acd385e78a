import { afterAll } from 'vitest';
import { developmentSettings, makeContainer } from '../../support/azure-peer.ts';
import { DEVELOPMENT_ACCOUNT } from '../../support/azure-sas.ts';
import { describePeer } from '../../support/peers.ts';
import { objectActions } from '../../support/remote-actions.ts';
import { startRemoteService } from '../../support/remote-service.ts';

describePeer('azurite', '', async (start) => {
  const peer = await start();
  await makeContainer(developmentSettings(peer), 'things');
  const { name, key } = DEVELOPMENT_ACCOUNT;
  const stringOf = (accountKey: string) =>
    `DefaultEndpointsProtocol=http;AccountName=${name};AccountKey=${accountKey};BlobEndpoint=http://127.0.0.1:${peer.port}/${name};`;
  const service = await startRemoteService({
    locations: ['azure+nas://things/shared/', 'azure://things/own/'],
    privateHost: `127.0.0.1:${peer.port}`,
    env: { NAS_CONNECTION: stringOf(key) },
    toml: '\n[connections.nas]\ntype = "azure"\nconnection_string = "${env:NAS_CONNECTION}"\n',
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await peer[Symbol.asyncDispose]();
  });
  objectActions({
    type: 'azure',
    prefix: 'FA_azure_blob',
    service,
    bucket: 'things',
    keys: { bucket: 'container', key: 'blob_name', uploadPrefix: 'name_prefix', listPrefix: 'name_prefix' },
    verbs: { remove: 'delete_blob', list: 'list_container' },
    password: key,
    fault: 'AzureBlobException',
    init: (accountKey) => ['FA_azure_blob_later_init', { connection_string: stringOf(accountKey) }],
  });
});
