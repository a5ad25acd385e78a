import { S3Exception } from '../../src/core/errors.ts';
import { createNetwork } from '../../src/lib/net/network.ts';
import type { BackendWorld } from '../../src/storage/backend.ts';
import { createS3Client } from '../../src/storage/backends/s3/client.ts';
import { renewed } from '../../src/storage/backends/s3/credentials/renewed.ts';
import type { S3Settings } from '../../src/storage/backends/s3/settings.ts';
import { createFaults } from '../../src/storage/faults.ts';
import type { Peer } from './peers.ts';

/** The surroundings of a connection to a server on this machine. */
export const nearWorld = (scheme: string): BackendWorld => ({
  location: `${scheme}:/`,
  network: createNetwork(),
  rules: { allowPrivate: true },
  clock: { now: Date.now },
});

export const settingsOf = ({ port, user, password }: Pick<Peer, 'port' | 'user' | 'password'>): S3Settings => ({
  endpoint_url: `http://127.0.0.1:${port}`,
  aws_access_key_id: user,
  aws_secret_access_key: password,
});

/** Requests of the protocol itself, for what no storage does: making buckets, odd objects, counting uploads. */
export const rawClient = (settings: S3Settings, world = nearWorld('s3')) =>
  createS3Client({
    settings,
    world,
    faults: createFaults(S3Exception, world.location),
    credentials: renewed(
      async () => ({ accessKeyId: settings.aws_access_key_id ?? '', secretAccessKey: settings.aws_secret_access_key ?? '' }),
      Date.now,
    ),
    findRegion: async () => undefined,
  });

export const makeBucket = async (settings: S3Settings, bucket: string): Promise<void> => {
  await using client = rawClient(settings);
  await client.tell({ method: 'PUT', bucket, signal: AbortSignal.timeout(20_000) });
};
