import { createHash, type Hash } from 'node:crypto';
import { StorageException } from '../../core/errors.ts';
import type { Arrived, HashName, Outgoing, Storage, Verification } from '../../core/storage.ts';

/** From the one that proves most to the one that proves least. */
const STRONGEST: readonly HashName[] = ['sha256', 'sha1', 'md5'];

/** Compares what the service says it holds with what was sent, by the strongest digest that it tells; the digest is made on the way. */
export const verified = (inner: Storage): Storage => {
  const strongest = STRONGEST.find((each) => inner.can.hashes.includes(each));
  const write: Storage['write'] = async (path, content, options) => {
    const name = options.verify === 'none' ? undefined : strongest;
    const sending = createSending(name);
    const demandSame = (arrived: Arrived): Verification => {
      const told = name === undefined ? undefined : arrived.hashes?.[name];
      if (arrived.bytes !== sending.bytes) throw mismatch(inner, path, `${arrived.bytes} bytes arrived of ${sending.bytes}`);
      if (told === undefined || name === undefined) return 'size';
      if (told !== sending.digest()) throw mismatch(inner, path, `its ${name} is another one than that of what was sent`);
      return name;
    };
    const confirm = (arrived: Arrived): void => {
      demandSame(arrived);
      options.confirm?.(arrived);
    };
    const item = await inner.write(path, sending.watch(content), { ...options, confirm });
    return { ...item, verified: demandSame(item) };
  };
  return { ...inner, write };
};

/** What was sent so far. A write may be begun again: the digest is that of the last reading of the content. */
const createSending = (name: HashName | undefined) => {
  let hash: Hash | undefined;
  let digest: string | undefined;
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    digest: () => {
      digest ??= hash?.digest('hex');
      return digest;
    },
    watch: (content: Outgoing): Outgoing => ({
      ...content,
      async *chunks(stretch, options) {
        if (stretch.start === 0) {
          hash = name && createHash(name);
          digest = undefined;
          bytes = 0;
        }
        for await (const chunk of content.chunks(stretch, options)) {
          hash?.update(chunk);
          bytes += chunk.byteLength;
          yield chunk;
        }
      },
    }),
  };
};

const mismatch = (inner: Storage, path: string, why: string): StorageException => {
  const location = `${inner.location}/${path}`;
  return new StorageException(`${location} did not arrive as it was sent: ${why}; send it once more.`, {
    context: { code: 'broken', location },
    retryable: true,
  });
};
