import type { FilePort } from '../../core/files.ts';
import type { TimeSlice } from '../../lib/async/time-slice.ts';

/** A call of the port takes as long as so many short steps. */
const STEPS_OF_A_CALL = 8;

/**
 * The same port for a dry run, which gives way between calls. What a plan asks of it is known at once or soon, so that the plan of an archive
 * with 50,000 entries would otherwise hold the thread from its first entry to its last.
 */
export const givingWay = (port: FilePort, slice: TimeSlice): FilePort => {
  const after = (answer: unknown): unknown =>
    answer instanceof Promise && slice.isOver(STEPS_OF_A_CALL) ? answer.then((value) => slice.next().then(() => value)) : answer;
  const members = Object.entries(port).map(([name, member]) => [
    name,
    typeof member === 'function' ? (...given: readonly unknown[]) => after(Reflect.apply(member, port, given)) : member,
  ]);
  return Object.fromEntries(members) as FilePort; // the same names, each with what stands under it in the port
};
