import { type RetryRule, retry } from '../../core/retry.ts';
import type { PartedWrite, ReadOptions, Storage } from '../../core/storage.ts';
import type { LayerWorld } from './layers.ts';

/**
 * Tries again what failed with a fault that may pass. A read goes on where it broke, and only in the version that it began with; a write
 * begins anew, which nobody sees, because nothing shows before it is whole. A list that has told entries already is not begun again here:
 * backends repeat the request for a single page.
 */
export const retried = (inner: Storage, rule: RetryRule, world: LayerWorld): Storage => {
  const again = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => retry(work, rule, { ...world, signal });
  const { makeDir, removeDir, copy, move, startParts, resumeParts, sweep } = inner;

  const parted = (write: PartedWrite): PartedWrite => ({
    ...write,
    put: (number, content, options) => again(options.signal, () => write.put(number, content, options)),
    commit: (parts, options) => again(options.signal, () => write.commit(parts, options)),
    discard: (options) => again(options.signal, () => write.discard(options)),
  });

  return {
    ...inner,
    stat: (path, options) => again(options.signal, () => inner.stat(path, options)),
    async *list(path, options) {
      const { entries, first } = await again(options.signal, async () => {
        const begun = inner.list(path, options)[Symbol.asyncIterator]();
        return { entries: begun, first: await begun.next() };
      });
      try {
        for (let each = first; each.done !== true; each = await entries.next()) yield each.value;
      } finally {
        await entries.return?.();
      }
    },
    async read(path, options) {
      // Without a version nobody can tell whether the rest belongs to the beginning; then a break is final.
      const version = options.version ?? (await again(options.signal, () => inner.stat(path, options)))?.version;
      const known: ReadOptions = { ...options, version };
      const begun = await again(options.signal, () => inner.read(path, known));
      return version === undefined || !inner.can.range ? begun : goingOn(inner, path, known, { begun, rule, world });
    },
    write: (path, content, options) => again(options.signal, () => inner.write(path, content, options)),
    remove: (path, options) => again(options.signal, () => inner.remove(path, options)),
    ...(makeDir && { makeDir: (path, options) => again(options.signal, () => makeDir(path, options)) }),
    ...(removeDir && { removeDir: (path, options) => again(options.signal, () => removeDir(path, options)) }),
    ...(copy && { copy: (from, to, options) => again(options.signal, () => copy(from, to, options)) }),
    ...(move && { move: (from, to, options) => again(options.signal, () => move(from, to, options)) }),
    ...(startParts && { startParts: async (path, options) => parted(await again(options.signal, () => startParts(path, options))) }),
    ...(resumeParts && {
      async resumeParts(path, ticket, options) {
        const resumed = await again(options.signal, () => resumeParts(path, ticket, options));
        return resumed && parted(resumed);
      },
    }),
    ...(sweep && { sweep: (path, options) => again(options.signal, () => sweep(path, options)) }),
  };
};

interface GoingOn {
  readonly begun: AsyncIterable<Uint8Array>;
  readonly rule: RetryRule;
  readonly world: LayerWorld;
}

/** The content from its beginning, opened again behind the last byte that came whenever it breaks; the attempts count anew after each byte. */
async function* goingOn(inner: Storage, path: string, options: ReadOptions, { begun, rule, world }: GoingOn): AsyncGenerator<Uint8Array> {
  const { signal, stretch } = options;
  let at = stretch?.start ?? 0;
  let chunks = begun[Symbol.asyncIterator]();
  const open = () => inner.read(path, { ...options, stretch: { ...stretch, start: at } });
  try {
    for (;;) {
      let isBroken = false;
      const next = await retry(
        async () => {
          if (isBroken) chunks = (await open())[Symbol.asyncIterator]();
          isBroken = true; // unless the next line says otherwise
          return chunks.next();
        },
        rule,
        { ...world, signal },
      );
      if (next.done === true) return;
      at += next.value.byteLength;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}
