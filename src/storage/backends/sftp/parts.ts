import type { Json } from '../../../core/errors.ts';
import type { HeldPart, PartedWrite, PartRules, ResumeOptions, StoreOptions } from '../../../core/storage.ts';
import { isPartFor } from '../../part-name.ts';
import { directoryOf, inDirectory, nameOf } from '../../remote-path.ts';
import { itemOf } from './item.ts';
import { STATUS, statusOf, translate } from './status.ts';
import { sendChunks } from './transfer.ts';
import { wirePath } from './wire-path.ts';
import { createPart, discardPart, explain, finish, lostBytes, settle, type WriteWorld } from './write.ts';

const PART_BYTES = 4 * 1024 * 1024;

/** All parts but the last are equally long, so that the number of a part says where it goes, in whatever order they come. */
export const PARTS: PartRules = {
  minBytes: PART_BYTES,
  maxBytes: PART_BYTES,
  maxCount: 1_000_000,
  multipleOf: PART_BYTES,
  isInOrder: false,
};

/** What is needed to go on elsewhere; `name` lies beside the target. */
interface Ticket {
  readonly name: string;
  readonly bytes: number;
  readonly modifiedMs?: number;
  readonly exclusive?: boolean;
}

type Kept = Pick<StoreOptions, 'confirm'>;

/** Begins a file that arrives in parts: they are written where they belong in a temporary file. */
export const startParts = async (
  world: WriteWorld,
  path: string,
  { signal, bytes, modifiedMs, exclusive, confirm }: StoreOptions & { readonly bytes: number },
): Promise<PartedWrite> =>
  world.pool.use(signal, async (session) => {
    const part = await createPart(world, session, path);
    await session.close(part.lane.handle);
    const ticket: Ticket = {
      name: nameOf(part.path),
      bytes,
      ...(modifiedMs !== undefined && { modifiedMs }),
      ...(exclusive === true && { exclusive }),
    };
    return partedWrite(world, path, ticket, [], { confirm });
  });

/** Goes on with it. What was written down as held is held, as far as the file is long enough. */
export const resumeParts = async (
  world: WriteWorld,
  path: string,
  written: Json,
  { signal, known = [] }: ResumeOptions,
): Promise<PartedWrite | undefined> => {
  const ticket = ticketOf(written, nameOf(path));
  if (ticket === undefined) return undefined;
  const there = await world.pool.use(signal, (session) => session.stat(wirePath(inDirectory(directoryOf(path), ticket.name))));
  if (there?.kind !== 'file') return undefined;
  const held = known.filter(({ number, bytes }) => isPlaced(number, bytes, ticket) && offsetOf(number) + bytes <= there.bytes);
  return partedWrite(world, path, ticket, held, {});
};

const partedWrite = (world: WriteWorld, path: string, ticket: Ticket, held: readonly HeldPart[], { confirm }: Kept): PartedWrite => {
  const { pool, faults, location } = world;
  const part = inDirectory(directoryOf(path), ticket.name);
  let isNamed = false;
  const gone = () =>
    faults.because('changed', `The parts of ${location}/${path} are gone; start again.`, { context: { location: `${location}/${path}` } });

  return {
    ticket: { ...ticket },
    held,
    put: (number, content, { signal }) =>
      pool.use(signal, async (session) => {
        if (!isPlaced(number, content.bytes, ticket))
          throw faults.because(
            'unsupported',
            `Part ${number} of ${location}/${path} cannot have ${content.bytes} bytes; parts have ${PART_BYTES}.`,
          );
        try {
          const handle = await session.open(wirePath(part), 'r+');
          try {
            const sent = await sendChunks(
              content.chunks({ start: 0 }, { signal }),
              { session, handle },
              { start: offsetOf(number), signal },
            );
            if (sent !== content.bytes) throw lostBytes(world, path, sent, content.bytes);
          } finally {
            if (session.isOpen) await session.close(handle);
          }
          return { number, bytes: content.bytes, receipt: String(number) };
        } catch (fault) {
          throw statusOf(fault) === STATUS.NO_SUCH_FILE ? gone() : await explain(world, session, fault, path);
        }
      }),
    commit: (parts, { signal }) =>
      pool.use(signal, async (session) => {
        const isWhole = parts.every(({ number, bytes }, at) => number === at + 1 && isPlaced(number, bytes, ticket));
        const sum = parts.reduce((total, { bytes }) => total + bytes, 0);
        if (!isWhole || sum !== ticket.bytes) throw lostBytes(world, path, sum, ticket.bytes);
        try {
          const handle = await session.open(wirePath(part), 'r+');
          if ((await session.fstat(handle)).bytes > ticket.bytes) await session.setLength(handle, ticket.bytes);
          const attrs = await finish({ session, handle }, ticket.modifiedMs);
          if (attrs.bytes !== ticket.bytes) throw lostBytes(world, path, attrs.bytes, ticket.bytes);
          confirm?.({ bytes: attrs.bytes });
          signal.throwIfAborted();
          isNamed = true;
          await settle(world, session, { part, path, exclusive: ticket.exclusive === true });
          return itemOf(path, attrs);
        } catch (fault) {
          if (statusOf(fault) !== STATUS.NO_SUCH_FILE) throw translate(faults, fault, 'Writing', `${location}/${path}`);
          // The answer to an earlier try may have been lost on its way.
          const there = isNamed ? await session.stat(wirePath(path)) : undefined;
          if (there?.kind === 'file' && there.bytes === ticket.bytes) return itemOf(path, there);
          throw gone();
        }
      }),
    discard: ({ signal }) => pool.use(signal, (session) => discardPart(world, session, part, [])),
  };
};

const offsetOf = (number: number): number => (number - 1) * PART_BYTES;

/** Whether a part of this length can have this number. */
const isPlaced = (number: number, bytes: number, { bytes: total }: Ticket): boolean =>
  Number.isSafeInteger(number) &&
  number >= 1 &&
  (bytes === PART_BYTES ? offsetOf(number) + bytes <= total : offsetOf(number) + bytes === total);

/** A ticket comes from outside: it must name a temporary file of this very target. */
const ticketOf = (written: Json, target: string): Ticket | undefined => {
  if (typeof written !== 'object' || written === null || !('name' in written) || !('bytes' in written)) return undefined;
  const { name, bytes, modifiedMs, exclusive } = written;
  if (typeof name !== 'string' || !isPartFor(name, target) || typeof bytes !== 'number') return undefined;
  return {
    name,
    bytes,
    ...(typeof modifiedMs === 'number' && { modifiedMs }),
    ...(exclusive === true && { exclusive }),
  };
};
