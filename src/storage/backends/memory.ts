import { createHash } from 'node:crypto';
import { StorageException } from '../../core/errors.ts';
import type {
  HeldPart,
  Outgoing,
  PartedWrite,
  PartRules,
  Storage,
  StorageAbilities,
  StoredItem,
  StoreOptions,
} from '../../core/storage.ts';
import { isBelow, parentOf, parentsOf } from '../../lib/location/storage-path.ts';
import { createFaults } from '../faults.ts';

/** One file, or a directory. */
interface Kept {
  readonly content: Buffer | undefined;
  readonly modifiedMs: number;
  readonly version: string;
}

/** What a memory holds; the same one may be opened several times. */
export interface Memory {
  readonly entries: Map<string, Kept>;
  readonly uploads: Map<string, Map<number, Buffer>>;
  written: number;
}

export interface MemoryOptions {
  readonly memory?: Memory;
  readonly now?: () => number;
  readonly location?: string;
  /** Most bytes that it may hold in all; left out, as many as there are. */
  readonly maxBytes?: number;
}

const PARTS: PartRules = { minBytes: 1, maxBytes: 64 * 1024 * 1024, maxCount: 10_000, multipleOf: 1, isInOrder: false };
const CAN: StorageAbilities = {
  range: true,
  exclusiveWrite: true,
  directories: 'real',
  hashes: ['sha256'],
  timeStepMs: 1,
  parts: PARTS,
};

export const createMemory = (): Memory => ({ entries: new Map(), uploads: new Map(), written: 0 });

/** A storage in the memory of this process: for examples, for tests, and as the model of what every backend owes. */
export const openMemory = ({
  memory = createMemory(),
  now = Date.now,
  location = 'mem:/',
  maxBytes = Number.POSITIVE_INFINITY,
}: MemoryOptions = {}): Storage => {
  const { entries, uploads } = memory;
  const faults = createFaults(StorageException, location);

  const bytesHeld = (): number => {
    let sum = 0;
    for (const { content } of entries.values()) sum += content?.byteLength ?? 0;
    for (const parts of uploads.values()) for (const { byteLength } of parts.values()) sum += byteLength;
    return sum;
  };
  const demandRoom = (bytes: number, held: number): void => {
    if (held + bytes > maxBytes)
      throw faults.because('out_of_space', `${location}/ may hold ${maxBytes} bytes and has too little room left; remove something there.`);
  };
  const gather = async (content: Outgoing, signal: AbortSignal): Promise<Buffer> => {
    const held = maxBytes === Number.POSITIVE_INFINITY ? 0 : bytesHeld();
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of content.chunks({ start: 0 }, { signal })) {
      bytes += chunk.byteLength;
      demandRoom(bytes, held);
      chunks.push(Buffer.from(chunk)); // a copy: the next chunk may overwrite it
    }
    return Buffer.concat(chunks);
  };

  const demandFile = (path: string): Kept & { readonly content: Buffer } => {
    const found = entries.get(path);
    if (found === undefined && path !== '') throw faults.notFound(path);
    if (found?.content === undefined) throw faults.isDirectory(path);
    return { ...found, content: found.content };
  };

  const makeDirs = (paths: readonly string[]): void => {
    for (const path of paths) {
      const found = entries.get(path);
      if (found?.content !== undefined) throw faults.exists(path);
      if (found === undefined) entries.set(path, { content: undefined, modifiedMs: now(), version: '' });
    }
  };

  const put = (
    path: string,
    content: Buffer,
    { exclusive = false, modifiedMs = now(), confirm }: Omit<StoreOptions, 'signal'>,
  ): StoredItem => {
    const there = entries.get(path);
    if (path === '' || (there !== undefined && there.content === undefined)) throw faults.isDirectory(path);
    if (exclusive && there !== undefined) throw faults.exists(path);
    const kept: Kept = { content, modifiedMs, version: String(memory.written + 1) };
    const item = itemOf(path, kept);
    confirm?.(item);
    makeDirs(parentsOf(path));
    memory.written += 1;
    entries.set(path, kept);
    return item;
  };

  const partedWrite = (path: string, id: string, options: Omit<StoreOptions, 'signal'>): PartedWrite => {
    const parts = uploads.get(id) ?? new Map<number, Buffer>();
    uploads.set(id, parts);
    return {
      ticket: { id, ...(options.modifiedMs !== undefined && { modifiedMs: options.modifiedMs }) },
      held: [...parts].map(([number, { byteLength }]) => heldPart(number, byteLength)).sort((a, b) => a.number - b.number),
      async put(number, content, { signal }) {
        const whole = await gather(content, signal);
        parts.set(number, whole);
        return heldPart(number, whole.byteLength);
      },
      async commit(named) {
        const contents = named.map(
          ({ number }) => parts.get(number) ?? faultOf(faults.because('changed', `Part ${number} of ${path} is not there; send it again.`)),
        );
        const item = put(path, Buffer.concat(contents), options);
        uploads.delete(id);
        return item;
      },
      discard: async () => void uploads.delete(id),
    };
  };

  return {
    location,
    can: CAN,
    async stat(path) {
      if (path === '') return { path, kind: 'dir', bytes: 0 };
      const found = entries.get(path);
      return found && itemOf(path, found);
    },
    async *list(directory, { deep = false, signal }) {
      const below = [...entries.keys()].filter((path) => isBelow(path, directory) && (deep || parentOf(path) === directory)).sort();
      for (const path of below) {
        signal.throwIfAborted();
        const found = entries.get(path);
        if (found !== undefined) yield itemOf(path, found);
      }
    },
    async read(path, { stretch, version, signal }) {
      signal.throwIfAborted();
      const found = demandFile(path);
      if (version !== undefined && version !== found.version) throw faults.changed(path);
      return inChunks(found.content.subarray(stretch?.start ?? 0, stretch?.end), signal);
    },
    async write(path, content, { signal, ...options }) {
      const whole = await gather(content, signal);
      signal.throwIfAborted();
      return put(path, whole, options);
    },
    async remove(path) {
      const found = entries.get(path);
      if (path === '' || (found !== undefined && found.content === undefined)) throw faults.isDirectory(path);
      return entries.delete(path);
    },
    async makeDir(path) {
      if (path !== '') makeDirs([...parentsOf(path), path]);
    },
    async removeDir(path) {
      const found = entries.get(path);
      if (found === undefined) return false;
      if (found.content !== undefined) throw faults.because('unsupported', `${location}/${path} is a file; remove it as one.`);
      if ([...entries.keys()].some((each) => isBelow(each, path))) throw faults.notEmpty(path);
      return entries.delete(path);
    },
    copy: async (from, to, { exclusive, modifiedMs }) =>
      put(to, demandFile(from).content, {
        ...(exclusive !== undefined && { exclusive }),
        modifiedMs: modifiedMs ?? demandFile(from).modifiedMs,
      }),
    async move(from, to) {
      const { content, modifiedMs } = demandFile(from);
      const item = put(to, content, { modifiedMs });
      if (from !== to) entries.delete(from);
      return item;
    },
    async startParts(path, { signal, bytes, ...options }) {
      memory.written += 1;
      return partedWrite(path, String(memory.written), options);
    },
    async resumeParts(path, ticket) {
      const { id, modifiedMs } = ticket as { readonly id?: string; readonly modifiedMs?: number }; // made by `partedWrite`
      return id !== undefined && uploads.has(id) ? partedWrite(path, id, { modifiedMs }) : undefined;
    },
    async [Symbol.asyncDispose]() {},
  };
};

const faultOf = (fault: Error): never => {
  throw fault;
};

const heldPart = (number: number, bytes: number): HeldPart => ({ number, bytes, receipt: String(number) });

const itemOf = (path: string, { content, modifiedMs, version }: Kept): StoredItem =>
  content === undefined
    ? { path, kind: 'dir', bytes: 0, modifiedMs }
    : {
        path,
        kind: 'file',
        bytes: content.byteLength,
        modifiedMs,
        version,
        hashes: { sha256: createHash('sha256').update(content).digest('hex') },
      };

const CHUNK_BYTES = 64 * 1024;

async function* inChunks(content: Buffer, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.byteLength; at += CHUNK_BYTES) {
    signal.throwIfAborted();
    yield content.subarray(at, at + CHUNK_BYTES);
  }
}
