import { AzureBlobException } from '../../src/core/errors.ts';
import { createAzureClient } from '../../src/storage/backends/azure/client.ts';
import type { AzureSettings } from '../../src/storage/backends/azure/settings.ts';
import { createFaults } from '../../src/storage/faults.ts';
import type { Peer } from './peers.ts';
import { nearWorld } from './s3-peer.ts';

export const developmentSettings = ({ port }: Pick<Peer, 'port'>, scheme: 'http' | 'https' = 'http'): AzureSettings => ({
  connection_string: `UseDevelopmentStorage=true;BlobEndpoint=${scheme}://127.0.0.1:${port}/devstoreaccount1`,
});

/** Requests of the protocol itself, for what no storage does: making containers, odd blobs. */
export const rawAzure = (settings: AzureSettings, world = nearWorld('azure')) =>
  createAzureClient(settings, world, createFaults(AzureBlobException, world.location));

export const makeContainer = async (settings: AzureSettings, container: string): Promise<void> => {
  await using client = rawAzure(settings);
  await client.tell({ method: 'PUT', path: container, query: { restype: 'container' }, signal: AbortSignal.timeout(20_000) });
};
