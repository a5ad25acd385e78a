import type { Outgoing, PartedWrite, Storage } from '../../core/storage.ts';

/** Told of every byte when it passes; may take its time, or refuse. */
export type ByteTeller = (direction: 'upload' | 'download', bytes: number, signal: AbortSignal) => void | Promise<void>;

/** Shows every byte that passes to somebody: a meter, a budget, a brake. Bytes that are sent again count again. */
export const counted = (inner: Storage, tell: ByteTeller): Storage => {
  const { startParts, resumeParts } = inner;
  const parted = (write: PartedWrite): PartedWrite => ({
    ...write,
    put: (number, content, options) => write.put(number, { ...outgoing(content, tell), bytes: content.bytes }, options),
  });
  return {
    ...inner,
    read: async (path, options) => shown(await inner.read(path, options), 'download', tell, options.signal),
    write: (path, content, options) => inner.write(path, outgoing(content, tell), options),
    ...(startParts && { startParts: async (path, options) => parted(await startParts(path, options)) }),
    ...(resumeParts && {
      async resumeParts(path, ticket, options) {
        const resumed = await resumeParts(path, ticket, options);
        return resumed && parted(resumed);
      },
    }),
  };
};

const outgoing = (content: Outgoing, tell: ByteTeller): Outgoing => ({
  ...content,
  chunks: (stretch, options) => shown(content.chunks(stretch, options), 'upload', tell, options.signal),
});

async function* shown(
  chunks: AsyncIterable<Uint8Array>,
  direction: 'upload' | 'download',
  tell: ByteTeller,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const told = tell(direction, chunk.byteLength, signal);
    if (told !== undefined) await told;
    yield chunk;
  }
}
