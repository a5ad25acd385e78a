import type { Context } from '../../../core/context.ts';
import { InternalException } from '../../../core/errors.ts';
import type { FilePort } from '../../../core/files.ts';
import type { LostAttribute, LostChange } from '../../../core/journal.ts';
import { NotYetKnown } from '../../../core/planning.ts';
import type { ProgramResult } from '../../../core/ports.ts';
import type { Note, RunResult } from '../../../core/result.ts';
import { overRunBytes } from '../../../pipeline/usage.ts';
import { newId } from '../../instance/ids.ts';
import type { CommandOrder, Extras, Telling } from '../messages.ts';
import { createFarProgress, type FarProgress } from './far-progress.ts';
import type { HouseLink } from './link.ts';

/** One command on this thread: what its action sees, and what it gathers. */
export interface OrderContext extends Context {
  /** The progress entry was cancelled. */
  cancelProgress(entry: number): void;
  /** What goes back beside the value; undefined where there is nothing. */
  extras(): Extras | undefined;
}

export interface OrderContextParts {
  readonly order: CommandOrder;
  readonly signal: AbortSignal;
  readonly cwd: string;
  readonly link: HouseLink;
  /** The port on the disk, which tells what is lost. */
  openFiles(teller: { change(lost: LostChange): void; attribute(lost: LostAttribute): void }): FilePort;
}

export const createOrderContext = ({ order, signal, cwd, link, openFiles }: OrderContextParts): OrderContext => {
  const { id, runId, isLimited, room, momentMs } = order;
  const behind = { runId, id };
  const notes: Note[] = [];
  const lost: LostChange[] = [];
  const unkept: LostAttribute[] = [];
  const entries: FarProgress[] = [];
  let port: FilePort | undefined;
  let held = 0;
  const tell = (telling: Telling) => link.send({ kind: 'tell', id, telling });

  return {
    signal,
    get files() {
      port ??= openFiles({ change: (change) => void lost.push(change), attribute: (attribute) => void unkept.push(attribute) });
      return port;
    },
    log: (level, message, fields) => tell({ what: 'log', level, message, ...(fields && { fields }) }),
    clock: { now: momentMs === undefined ? Date.now : () => momentMs, monotonic: () => performance.now() },
    cwd,
    runId,
    isLimited,
    get services() {
      return staysAtHome('services');
    },
    isPrinted: false,
    ownName: () => staysAtHome('ownName'),
    newId,
    progress(name, total, unit = 'bytes') {
      const entry = createFarProgress(entries.length, name, tell);
      tell({ what: 'progress', entry: entries.length, name, total, unit });
      entries.push(entry);
      return entry;
    },
    storage: () => staysAtHome('storage'),
    web: () => staysAtHome('web'),
    get connections() {
      return staysAtHome('connections');
    },
    note: (note) => void notes.push(note),
    // The house answers with what its own context gives.
    spawn: (request) => link.call('spawn', request, behind) as Promise<ProgramResult>,
    runSteps: (steps, options = {}) => link.call('run_steps', { steps, options }, behind) as Promise<RunResult>,
    validateSteps: () => staysAtHome('validateSteps'),
    demandKeepable: () => staysAtHome('demandKeepable'),
    substitute: () => staysAtHome('substitute'),
    hold(bytes) {
      if (held + bytes > room.left) throw overRunBytes(room.ofRun);
      held += bytes;
      tell({ what: 'hold', bytes }); // where others of the run have taken the room meanwhile, the house stops the command
    },
    notYetKnown(what) {
      throw new NotYetKnown(what, { isContained: true });
    },
    demandCertain() {},
    cancelProgress: (entry) => entries[entry]?.cancel(),
    extras: () =>
      notes.length + lost.length + unkept.length === 0
        ? undefined
        : { ...(notes.length > 0 && { notes }), ...(lost.length > 0 && { lost }), ...(unkept.length > 0 && { unkept }) },
  };
};

/** Families that need such a thing do not say that they are apart. */
const staysAtHome = (member: string): never => {
  throw new InternalException(`An action asked for ${member} of the house on another thread; its family must not be marked isApart.`);
};
