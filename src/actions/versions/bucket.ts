import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { path } from '../../core/args.ts';
import type { FilePort } from '../../core/files.ts';
import * as shapes from '../../core/shapes.ts';

export const fileArg = path('The file whose versions they are; it need not exist any more.', { role: 'reads', mayBeMissing: true });

/** One snapshot of a file. */
export interface Version {
  readonly version: number;
  readonly timestamp: string;
  readonly path: string;
}

export const versionShape = shapes.object({ version: shapes.integer(), timestamp: shapes.text(), path: shapes.text() });

/** Where the versions of a file lie: its name for people, a digest of its whole path against mix-ups. */
export const bucketOf = (files: FilePort, root: string, file: string): string => {
  const absolute = files.absolute(file);
  const digest = createHash('sha256').update(absolute).digest('hex').slice(0, 32);
  return join(files.absolute(root), `${basename(absolute).slice(0, 100)}.${digest}`);
};

/** Stores of older programs name the bucket after the path; a path that holds their separator could be two files and is passed over. */
const olderBucketOf = (files: FilePort, root: string, file: string): string | undefined => {
  const absolute = files.absolute(file);
  return absolute.includes('__sep__') ? undefined : join(files.absolute(root), absolute.replaceAll('/', '__sep__'));
};

/** All versions of a file, oldest first. */
export const versionsOf = async (files: FilePort, root: string, file: string): Promise<Version[]> => {
  const buckets = [olderBucketOf(files, root, file), bucketOf(files, root, file)];
  const found: Version[] = [];
  for (const bucket of buckets) {
    if (bucket === undefined || (await files.stat(bucket))?.kind !== 'dir') continue;
    for (const { name, kind } of await files.list(bucket)) {
      const [, number, nanoseconds] = /^v(\d{6,})__(\d+)$/.exec(name) ?? [];
      if (kind !== 'file' || number === undefined || nanoseconds === undefined) continue;
      found.push({
        version: Number(number),
        timestamp: new Date(Number(BigInt(nanoseconds) / 1_000_000n)).toISOString(),
        path: join(bucket, name),
      });
    }
  }
  return found.sort((a, b) => a.version - b.version);
};
