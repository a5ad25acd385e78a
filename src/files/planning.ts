import { basename, dirname, join } from 'node:path';
import type { Policy } from '../access/policy.ts';
import { DirNotExistsException, FileAccessException, FileNotExistsException, PathExistsException } from '../core/errors.ts';
import type { Access, Entry, FilePort, Listed, Reader, WriteOptions } from '../core/files.ts';
import { type Foresight, NotYetKnown } from '../core/planning.ts';
import type { Budget } from '../core/quota.ts';
import { createOverlay, type Content } from './overlay.ts';
import { realPathOf } from './place.ts';
import { copyInto, demandApart, emptyTree, walkTree } from './tree.ts';

/** Contents up to this size are remembered, so that later commands of the dry run can read them. */
const MAX_KEPT_BYTES = 1024 * 1024;

export interface PlanningOptions {
  readonly real: FilePort;
  readonly foresight: Foresight;
  readonly policy: Policy | undefined;
  readonly budget: Budget | undefined;
  now(): number;
}

/**
 * The port of a dry run: reads fall through to the disk, changes land in an overlay and are recorded as effects,
 * so later commands see what earlier ones would do. Nothing on the disk is ever changed.
 */
export const createPlanningFiles = ({ real, foresight, policy, budget, now }: PlanningOptions): FilePort => {
  const overlay = createOverlay();
  const { absolute } = real;
  const keyOf = (path: string, followLinks = true) => realPathOf(absolute(path), followLinks);

  const stat: FilePort['stat'] = async (path, { followLinks = true } = {}) => {
    const shown = absolute(path);
    const found = overlay.find(keyOf(path, followLinks));
    if (found === undefined) return undefined;
    if ('real' in found) {
      const entry = await real.stat(found.real, { followLinks });
      return entry && { ...entry, path: shown, name: basename(shown) };
    }
    const { changed } = found;
    if (changed.kind === 'gone') return undefined;
    return {
      path: shown,
      name: basename(shown),
      kind: changed.kind,
      get size() {
        if (changed.kind === 'file' && changed.size === undefined) throw new NotYetKnown(`the size of ${shown}`);
        return changed.kind === 'file' ? (changed.size ?? 0) : 0;
      },
      mtimeMs: changed.mtimeMs,
      mode: changed.kind === 'link' ? 0o777 : changed.mode,
      identity: `planned:${shown}`,
    };
  };

  const demandFile = async (path: string): Promise<Entry> => {
    const entry = await stat(path);
    if (entry === undefined) throw new FileNotExistsException(`No file at ${absolute(path)}; check the path.`, { context: { path: absolute(path) } });
    if (entry.kind !== 'file') throw new FileAccessException(`${entry.path} is a directory; give the path of a file.`, { context: { path: entry.path, code: 'EISDIR' } });
    return entry;
  };

  const demandDir = async (path: string): Promise<void> => {
    if ((await stat(path))?.kind !== 'dir') throw new DirNotExistsException(`No directory at ${absolute(path)}; check the path.`, { context: { path: absolute(path) } });
  };

  /** Where the bytes of a file can really be read; throws where a dry run cannot know them. */
  const contentOf = (key: string): { readonly bytes: Uint8Array } | { readonly real: string } => {
    const found = overlay.find(key);
    if (found === undefined || 'real' in found) return { real: found?.real ?? key };
    const content = found.changed.kind === 'file' ? found.changed.content : undefined;
    if (content === undefined) throw new NotYetKnown(`the content of ${key}`);
    return 'bytes' in content ? content : { real: content.sameAs };
  };

  /** What the real port would refuse, a dry run refuses too. */
  const judge = (path: string, access: Access, followLinks = true) => policy?.rootFor(keyOf(path, followLinks), access, absolute(path));

  const recordRead = (entry: Entry) => foresight.record({ kind: 'read', target: entry.path, bytes: entry.size }, isPlanned(entry) ? undefined : entry);

  const openReader: FilePort['open'] = async (path) => {
    const entry = await demandFile(path);
    const content = contentOf(keyOf(path));
    recordRead(entry);
    return 'bytes' in content ? readerOfBytes(entry, content.bytes) : real.open(content.real);
  };

  /** The checks a real write would make, and the record of it. */
  const recordWrite = async (path: string, bytes: number | undefined, { exclusive = false }: Partial<WriteOptions>): Promise<Entry | undefined> => {
    const shown = absolute(path);
    judge(path, 'write');
    budget?.spend(bytes ?? 0);
    await demandDir(dirname(shown));
    const existing = await stat(path);
    if (existing?.kind === 'dir') throw new FileAccessException(`${shown} is a directory; give the path of a file.`, { context: { path: shown, code: 'EISDIR' } });
    if (existing !== undefined && exclusive) throw taken(shown);
    foresight.record(
      { kind: existing === undefined ? 'create' : 'overwrite', target: shown, ...(bytes !== undefined && { bytes }) },
      existing !== undefined && !isPlanned(existing) ? existing : undefined,
    );
    return existing;
  };

  const put = async (path: string, bytes: number | undefined, content: Content, options: Partial<WriteOptions>): Promise<void> => {
    const existing = await recordWrite(path, bytes, options);
    overlay.set(keyOf(path), { kind: 'file', size: bytes, mtimeMs: options.mtimeMs ?? now(), mode: options.mode ?? existing?.mode ?? 0o644, content });
  };

  const create: FilePort['create'] = async (path, options) => {
    await demandDir(dirname(absolute(path)));
    let end = 0;
    const grow = async (chunk: Uint8Array, position: number) => {
      end = Math.max(end, position + chunk.byteLength);
    };
    return {
      write: (chunk) => grow(chunk, end),
      writeAt: grow,
      commit: () => put(path, options.expectedBytes ?? (end > 0 ? end : undefined), undefined, options),
      [Symbol.asyncDispose]: async () => {},
    };
  };

  const copy: FilePort['copy'] = async (from, to, { keepMetadata, exclusive = false }) => {
    const entry = await demandFile(from);
    recordRead(entry);
    const known = knownContent(() => contentOf(keyOf(from)));
    await put(to, entry.size, known && 'real' in known ? { sameAs: known.real } : known, { exclusive, ...(keepMetadata && { mode: entry.mode, mtimeMs: entry.mtimeMs }) });
  };

  const recordDelete = (entry: Entry) => {
    judge(entry.path, 'remove', false);
    foresight.record({ kind: 'delete', target: entry.path, bytes: entry.size }, isPlanned(entry) ? undefined : entry);
  };

  const remove: FilePort['remove'] = async (path) => {
    const entry = await stat(path, { followLinks: false });
    if (entry === undefined) throw new FileNotExistsException(`No file at ${absolute(path)}; check the path.`, { context: { path: absolute(path) } });
    recordDelete(entry);
    overlay.set(keyOf(path, false), { kind: 'gone' });
  };

  const makeDir: FilePort['makeDir'] = async (path, { parents = false } = {}) => {
    const shown = absolute(path);
    const existing = await stat(path);
    if (existing?.kind === 'dir') return false;
    if (existing !== undefined) throw taken(shown);
    if (parents) await makeDir(dirname(shown), { parents });
    else await demandDir(dirname(shown));
    judge(path, 'write');
    foresight.record({ kind: 'create', target: shown });
    overlay.set(keyOf(path), { kind: 'dir', source: undefined, mtimeMs: now(), mode: 0o755 });
    return true;
  };

  const move: FilePort['move'] = async (from, to, { exclusive = false }) => {
    const entry = await stat(from, { followLinks: false });
    if (entry === undefined) throw new FileNotExistsException(`Nothing is at ${absolute(from)}; check the path.`, { context: { path: absolute(from) } });
    const [source, target] = [keyOf(from, false), keyOf(to, false)];
    if (entry.kind === 'dir') demandApart(source, target);
    await demandDir(dirname(absolute(to)));
    const there = await stat(to, { followLinks: false });
    if (there !== undefined && (exclusive || (there.kind === 'dir') !== (entry.kind === 'dir'))) throw taken(absolute(to));
    if (there?.kind === 'dir' && (await list(to)).length > 0) throw taken(absolute(to));
    recordDelete(entry);
    judge(to, 'write', false);
    foresight.record(
      { kind: there === undefined ? 'create' : 'overwrite', target: absolute(to), ...(entry.kind === 'file' && { bytes: entry.size }) },
      there !== undefined && !isPlanned(there) ? there : undefined,
    );
    const found = overlay.find(source);
    overlay.clearBelow(target);
    overlay.relocate(source, target);
    if (found !== undefined && 'real' in found) {
      const { mtimeMs, mode } = entry;
      if (entry.kind === 'dir') overlay.set(target, { kind: 'dir', source: found.real, mtimeMs, mode });
      else if (entry.kind === 'link') overlay.set(target, { kind: 'link', target: await real.readLink(found.real), mtimeMs });
      else overlay.set(target, { kind: 'file', size: entry.size, mtimeMs, mode, content: { sameAs: found.real } });
    }
    overlay.set(source, { kind: 'gone' });
  };

  const list: FilePort['list'] = async (path) => {
    await demandDir(path);
    const key = keyOf(path);
    const found = overlay.find(key);
    const source = found === undefined ? undefined : 'real' in found ? found.real : found.changed.kind === 'dir' ? found.changed.source : undefined;
    const changes = overlay.changesIn(key);
    const fallen: readonly Listed[] = source === undefined ? [] : await real.list(source);
    const added = [...changes].flatMap(([name, kind]) => (kind === 'gone' ? [] : [{ name, kind }]));
    return [...fallen.filter(({ name }) => !changes.has(name)), ...added];
  };

  const removeDir = async (path: string) => {
    judge(path, 'remove', false);
    foresight.record({ kind: 'delete', target: absolute(path) });
    const key = keyOf(path, false);
    overlay.clearBelow(key);
    overlay.set(key, { kind: 'gone' });
  };

  const port: FilePort = {
    absolute,
    stat,
    async readLink(path) {
      const found = overlay.find(keyOf(path, false));
      if (found !== undefined && 'changed' in found && found.changed.kind === 'link') return found.changed.target;
      return real.readLink(found !== undefined && 'real' in found ? found.real : path);
    },
    list,
    walk: (path, interruptible) => walkTree(port, path, interruptible),
    async targetFor(path, name) {
      return (await stat(path))?.kind === 'dir' ? join(absolute(path), name) : absolute(path);
    },
    async read(path, range = {}) {
      const entry = await demandFile(path);
      const content = contentOf(keyOf(path));
      recordRead(entry);
      if ('real' in content) return real.read(content.real, range);
      const { offset = 0, limit = content.bytes.byteLength } = range;
      return Buffer.from(content.bytes.subarray(offset, offset + limit));
    },
    open: openReader,
    write: (path, content, options) =>
      put(path, content.byteLength, content.byteLength <= MAX_KEPT_BYTES ? { bytes: content } : undefined, options),
    create,
    copy,
    move,
    remove,
    makeDir,
    async makeLink(path, target) {
      if ((await stat(path, { followLinks: false })) !== undefined) throw taken(absolute(path));
      judge(path, 'write', false);
      foresight.record({ kind: 'create', target: absolute(path) });
      overlay.set(keyOf(path, false), { kind: 'link', target, mtimeMs: now() });
    },
    setTimes: async () => {},
    setMode: async () => {},
    async copyTree(from, to, options) {
      await demandDir(from);
      demandApart(absolute(from), absolute(to));
      await makeDir(to);
      await copyInto(port, absolute(from), absolute(to), { ...options, keepMetadata: false });
    },
    async removeTree(path, interruptible) {
      if ((await stat(path, { followLinks: false }))?.kind !== 'dir') {
        throw new DirNotExistsException(`No directory at ${absolute(path)}; check the path.`, { context: { path: absolute(path) } });
      }
      await emptyTree(port, absolute(path), interruptible, removeDir);
      await removeDir(path);
    },
    grant: async (root, access) => ({ ...(await real.grant(root, access)), dry: true }),
  };
  return port;
};

const isPlanned = (entry: Entry): boolean => entry.identity.startsWith('planned:');

const knownContent = (find: () => { readonly bytes: Uint8Array } | { readonly real: string }) => {
  try {
    return find();
  } catch (fault) {
    if (fault instanceof NotYetKnown) return undefined;
    throw fault;
  }
};

const taken = (path: string) => new PathExistsException(`Something is already at ${path}; choose another path or allow overwriting.`, { context: { path } });

const readerOfBytes = (entry: Entry, bytes: Uint8Array): Reader => ({
  entry,
  async readAt(into, position) {
    const part = bytes.subarray(position, position + into.byteLength);
    into.set(part);
    return part.byteLength;
  },
  async *stream({ start = 0, end = bytes.byteLength } = {}) {
    yield bytes.subarray(start, end);
  },
  [Symbol.asyncDispose]: async () => {},
});
