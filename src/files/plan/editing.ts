import type { Addition, FilePort, Reader } from '../../core/files.ts';
import { NotYetKnown } from '../../core/planning.ts';
import { demandGoing } from '../refusals.ts';
import type { PlannedFile } from './planned-tree.ts';
import type { Planner, Seen } from './planner.ts';
import { openSeen } from './reading.ts';
import { admit, land, MAX_KEPT_BYTES, writerOf } from './writing.ts';

/** Files that would be changed by what they hold. */
export const createPlannedEditing = (planner: Planner, { open }: Pick<FilePort, 'open'>): Pick<FilePort, 'edit' | 'append'> => ({
  async edit(path, change, { signal }) {
    planner.locate(path, { access: 'write' }); // what may not be written is not read either
    await using source = await open(path);
    demandGoing(signal, source.entry.path);
    const target = writerOf(planner, path, { signal, expectedBytes: 0 }); // what is written is all there will be
    const { value, isChanged } = await change(source, target);
    if (isChanged) await target.commit();
    return value;
  },
  async append(path, compose, { signal }) {
    const { shown, touched, there } = await admit(planner, path, { isInPlace: true });
    demandGoing(signal, shown);
    const file = there === undefined ? created(planner, await compose(undefined)) : await appended(planner, there, shown, compose);
    if (file === undefined) return; // nothing put behind a file that is there changes nothing
    await land(planner, path, { ...file, isInPlace: true });
    planner.foresight.grows(touched);
  },
});

const created = (planner: Planner, { record }: Addition): Pick<PlannedFile, 'size' | 'content'> => {
  planner.budget?.spend(record.byteLength);
  return { size: record.byteLength, content: record.byteLength > MAX_KEPT_BYTES ? undefined : { bytes: record } };
};

const UNKNOWN = { size: undefined, content: undefined };

const appended = async (
  planner: Planner,
  there: Seen,
  shown: string,
  compose: (file: Reader) => Addition | Promise<Addition>,
): Promise<Pick<PlannedFile, 'size' | 'content'> | undefined> => {
  try {
    await using file = await openSeen(planner, there, shown);
    const { size } = file.entry;
    const { record, end } = await compose(file);
    planner.budget?.spend(record.byteLength);
    const bytes = Buffer.concat([await leadFor(file, end), record]);
    if (bytes.length === 0) return undefined;
    if (size + bytes.length > MAX_KEPT_BYTES) return { size: size + bytes.length, content: undefined };
    const before = Buffer.alloc(size);
    return { size: size + bytes.length, content: { bytes: Buffer.concat([before.subarray(0, await file.readAt(before, 0)), bytes]) } };
  } catch (fault) {
    // What only a real run will know does not keep anybody from putting something behind it.
    if (fault instanceof NotYetKnown) return UNKNOWN;
    throw fault;
  }
};

const leadFor = async (file: Reader, end: Uint8Array | undefined): Promise<Uint8Array> => {
  const { size } = file.entry;
  if (end === undefined || size === 0) return NOTHING;
  const last = Buffer.alloc(end.length);
  await file.readAt(last, Math.max(0, size - end.length));
  return last.equals(end) ? NOTHING : end;
};

const NOTHING = new Uint8Array(0);
