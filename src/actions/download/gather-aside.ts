import { createHash } from 'node:crypto';
import type { Writer } from '../../core/files.ts';
import type { Gathering, GatheringOptions } from './gathering.ts';

/** Gathers in a file that nobody sees and that is gone where the download fails. */
export const gatherAside = async ({ files, target, signal, isHashed }: GatheringOptions): Promise<Gathering> => {
  const open = (): Promise<Writer> => files.create(target, { signal });
  let writer = await open(); // before anything is asked for: a target that cannot be written is no reason to disturb a server
  let hash = createHash('sha256');
  let bytes = 0;
  let validator: string | undefined;
  return {
    get bytes() {
      return bytes;
    },
    get validator() {
      return validator;
    },
    async begin(next) {
      validator = next;
      if (bytes === 0) return;
      await writer[Symbol.asyncDispose]();
      writer = await open();
      hash = createHash('sha256');
      bytes = 0;
    },
    async add(chunk) {
      if (isHashed) hash.update(chunk);
      await writer.write(chunk);
      bytes += chunk.byteLength;
    },
    digest: async () => hash.copy().digest('hex'),
    commit: () => writer.commit(),
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  };
};
