import { ManifestException } from '../../core/errors.ts';
import { findHash } from '../hash/hasher.ts';
import { createEntryCollector, type EntryCollector, type ManifestEntries } from './manifest-entries.ts';

/** A manifest that was read. */
export interface Manifest {
  readonly algorithm: string;
  readonly entries: ManifestEntries;
}

const STRING = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const SCALAR = `(?:${STRING}|-?[0-9][0-9.eE+-]*|true|false|null)`;
const FLAT_OBJECT = String.raw`\{[^{}"]*(?:${STRING}[^{}"]*)*\}`;

// Each ends with a character that ends what it matches, so that none can match half of something at the end of a chunk.
const OPENING = /\s*\{/sy;
const MEMBER = new RegExp(String.raw`\s*(?:"files"\s*:\s*(\{)|(${STRING})\s*:\s*(${SCALAR})\s*([,}]))`, 'sy');
const ENTRY = new RegExp(String.raw`\s*(${STRING})\s*:\s*(${FLAT_OBJECT})\s*([,}])`, 'sy');
const FIRST_ENTRY = new RegExp(String.raw`\s*(?:\}|${ENTRY.source.slice(3)})`, 'sy');
const BEHIND_FILES = /\s*([,}])/sy;

/** No entry is longer: a path has 4,096 bytes at most. */
const MAX_ENTRY_CHARS = 1024 * 1024;

/** Reads a manifest of ours, or of the older tool, piece by piece. Whatever is not one is refused. */
export const readManifest = async (chunks: AsyncIterable<Uint8Array>, shown: string): Promise<Manifest> => {
  const text = openWindow(chunks, shown);
  const collector = createEntryCollector();
  const head = new Map<string, unknown>();
  let hasFiles = false;
  await text.next(OPENING);
  for (let end = ','; end === ','; ) {
    const [, files, key, value, behind = ''] = await text.next(MEMBER);
    end = behind;
    if (files === undefined) {
      head.set(String(text.parse(key)), text.parse(value));
      continue;
    }
    hasFiles = true;
    await readFiles(text, collector);
    [, end = ''] = await text.next(BEHIND_FILES);
  }
  await text.demandEnd();
  if (!hasFiles) throw noManifest(shown, 'has no table of files');
  return { algorithm: algorithmOf(head, shown), entries: collector.entries() };
};

const readFiles = async (text: TextWindow, collector: EntryCollector): Promise<void> => {
  for (let pattern = FIRST_ENTRY; ; pattern = ENTRY) {
    const [, path, value, end] = await text.next(pattern);
    if (path === undefined) return;
    collector.add({ path: String(text.parse(path)), ...readEntry(text.parse(value), text) });
    if (end === '}') return;
  }
};

const readEntry = (value: unknown, { refuse }: TextWindow) => {
  // An object: the pattern matches nothing else.
  const { size, checksum, mtime_ms } = value as { readonly size?: unknown; readonly checksum?: unknown; readonly mtime_ms?: unknown };
  if (typeof size !== 'number' || size < 0 || typeof checksum !== 'string') throw refuse();
  return { size, checksum, mtimeMs: typeof mtime_ms === 'number' ? mtime_ms : undefined };
};

const algorithmOf = (head: ReadonlyMap<string, unknown>, shown: string): string => {
  if (head.get('version') !== 1) throw noManifest(shown, 'is of a version that is not known here');
  const algorithm = head.get('algorithm');
  if (typeof algorithm !== 'string') throw noManifest(shown, 'does not name its digest');
  try {
    findHash(algorithm);
  } catch (cause) {
    throw noManifest(shown, 'names a digest that is not known here', cause);
  }
  return algorithm;
};

/** Text that is read while it comes. */
interface TextWindow {
  /** The next piece, which must match. */
  next(pattern: RegExp): Promise<RegExpExecArray>;
  /** A JSON value of a piece. */
  parse(json: string | undefined): unknown;
  /** Refuses everything but space up to the end. */
  demandEnd(): Promise<void>;
  refuse(cause?: unknown): ManifestException;
}

const openWindow = (chunks: AsyncIterable<Uint8Array>, shown: string): TextWindow => {
  const source = chunks[Symbol.asyncIterator]();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [text, at, before, isEnd] = ['', 0, 0, false];
  const refuse = (cause?: unknown) => {
    if (before + at > 0) return noManifest(shown, `is broken behind character ${before + at}`, cause);
    return new ManifestException(`${shown} is no manifest; check the path.`, { context: { path: shown }, cause });
  };
  const read = async () => {
    const { done, value } = await source.next();
    isEnd = done === true;
    before += at;
    text = text.slice(at) + decode(value);
    at = 0;
  };
  const decode = (bytes: Uint8Array | undefined): string => {
    try {
      return decoder.decode(bytes, { stream: !isEnd });
    } catch (cause) {
      throw noManifest(shown, 'is no UTF-8 text', cause);
    }
  };
  return {
    async next(pattern) {
      for (;;) {
        pattern.lastIndex = at;
        const found = pattern.exec(text);
        if (found !== null) {
          at = pattern.lastIndex;
          return found;
        }
        if (isEnd || text.length - at > MAX_ENTRY_CHARS) throw refuse();
        await read();
      }
    },
    parse(json = '') {
      try {
        return JSON.parse(json);
      } catch (cause) {
        throw refuse(cause);
      }
    },
    async demandEnd() {
      for (; ; await read()) {
        if (text.slice(at).trim() !== '') throw refuse();
        at = text.length;
        if (isEnd) return;
      }
    },
    refuse,
  };
};

const noManifest = (shown: string, why: string, cause?: unknown) =>
  new ManifestException(`${shown} ${why}; write the manifest again.`, { context: { path: shown }, cause });
