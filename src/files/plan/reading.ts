import { join } from 'node:path';
import type { Entry, FilePort, Reader } from '../../core/files.ts';
import { NotYetKnown } from '../../core/planning.ts';
import { demandDir, demandFile, noFile } from '../refusals.ts';
import type { Content } from './planned-tree.ts';
import { entryFrom, type Planner, type Seen, toldBelow } from './planner.ts';

type Reading = Pick<FilePort, 'stat' | 'readLink' | 'list' | 'targetFor' | 'read' | 'open'>;

/** Looking at what would be there. */
export const createPlannedReading = (planner: Planner): Reading => {
  const { real: disk } = planner;

  const stat: FilePort['stat'] = async (path, { followLinks = true } = {}) => {
    const { shown, real } = planner.locate(path, { access: 'read', followLinks });
    const seen = await planner.look(real);
    return seen && entryFrom(seen, shown);
  };

  const find = async (path: string) => {
    const { shown, real, touched } = planner.locate(path, { access: 'read' });
    const seen = demandFile(await planner.look(real), shown);
    planner.record('read', touched, { bytes: seen.size, seen });
    return { entry: entryFrom(seen, shown), content: demandContent(seen, shown) };
  };

  return {
    stat,
    async readLink(path) {
      const { shown, real } = planner.locate(path, { access: 'read', followLinks: false });
      const seen = await planner.look(real);
      if (seen === undefined) throw noFile(shown);
      return planner.textOfLink(seen, shown);
    },
    async list(path, options) {
      const { shown, real } = planner.locate(path, { access: 'read' });
      demandDir(await planner.look(real), shown);
      return planner.entries(real, toldBelow(shown, options?.bypass));
    },
    async targetFor(path, name) {
      return (await stat(path))?.kind === 'dir' ? join(disk.absolute(path), name) : disk.absolute(path);
    },
    async read(path, range = {}) {
      const { content } = await find(path);
      if ('onDisk' in content) return disk.read(content.onDisk, range);
      const { offset = 0, limit = content.bytes.byteLength } = range;
      return Buffer.from(content.bytes.subarray(offset, offset + limit));
    },
    async open(path) {
      const { entry, content } = await find(path);
      return readerFor(disk, entry, content);
    },
  };
};

/** Opens what a file would hold. */
export const openSeen = async ({ real: disk }: Planner, seen: Seen, shown: string): Promise<Reader> =>
  readerFor(disk, entryFrom(seen, shown), demandContent(seen, shown));

const readerFor = async (disk: FilePort, entry: Entry, content: NonNullable<Content>): Promise<Reader> =>
  'bytes' in content ? readerOfBytes(entry, content.bytes) : readerUnder(entry, await disk.open(content.onDisk));

const demandContent = (seen: Seen, shown: string): NonNullable<Content> => {
  const content = contentOf(seen);
  if (content === undefined) throw new NotYetKnown(`the content of ${shown}`);
  return content;
};

/** What a file would hold; undefined where a dry run cannot know. */
export const contentOf = ({ node }: Seen): Content => {
  if (node.kind === 'disk') return { onDisk: node.path };
  return node.kind === 'file' ? node.content : undefined;
};

/** The file on the disk, under the name it would have. */
const readerUnder = (entry: Entry, reader: Reader): Reader => ({
  entry,
  readAt: reader.readAt,
  stream: reader.stream,
  [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
});

const readerOfBytes = (entry: Entry, bytes: Uint8Array): Reader => ({
  entry,
  async readAt(into, position) {
    const part = bytes.subarray(position, position + into.byteLength);
    into.set(part);
    return part.byteLength;
  },
  async *stream({ start = 0, end = bytes.byteLength, chunkBytes = bytes.byteLength } = {}) {
    const last = Math.min(end, bytes.byteLength);
    for (let position = start; position < last; position += chunkBytes)
      yield Buffer.from(bytes.subarray(position, Math.min(position + chunkBytes, last)));
  },
  [Symbol.asyncDispose]: async () => {},
});
