import { inspect } from 'node:util';
import { CancelledException, ExecuteActionException, FileAutomationException, InternalException } from '../../core/errors.ts';
import type { Ready } from '../../core/ready.ts';
import { isTransient } from '../../core/transient.ts';
import { stopError } from '../../lib/async/stop-signal.ts';
import { translate } from '../../lib/fs/faults.ts';
import type { ListRun } from '../run.ts';

/**
 * Turns whatever an action threw into an error of the house. Foreign errors of built-in actions are bugs and show nothing of the inside.
 * What was stopped may complain in words of its own, of a broken stream or a nested list; why it was stopped is what counts.
 */
export const faultFrom = (fault: unknown, list: ListRun, signal: AbortSignal, ready: Ready | undefined): FileAutomationException => {
  if (signal.aborted) return stopped(fault, list, signal, ready);
  if (fault instanceof FileAutomationException) return fault;
  if (ready !== undefined && ready.about.family === 'registered') return faultOfStranger(fault, ready.about.name);
  if (isSystemFault(fault)) return translate(fault, { path: fault.path ?? '' });
  const { run } = list;
  run.house.log('error', 'an action failed in a way it should not', {
    run_id: run.id,
    ...(ready && { action: ready.about.name }),
    stack: fault instanceof Error ? (fault.stack ?? fault.message) : wordsOf(fault),
  });
  return new InternalException(
    `Something went wrong inside ${ready?.about.name ?? 'the pipeline'}; the log has the details under run ${run.id}.`,
    { cause: fault },
  );
};

/** What a registered function threw, in its own words. */
const faultOfStranger = (fault: unknown, name: string): FileAutomationException =>
  new ExecuteActionException(`${name} failed: ${wordsOf(fault)}`, {
    cause: fault,
    context: { action: name },
    retryable: isTransient(fault),
  });

/** Anything can be thrown, also what refuses to become text. */
const wordsOf = (fault: unknown): string => {
  if (fault instanceof Error) return fault.message || fault.name;
  return typeof fault === 'string' ? fault : inspect(fault, { depth: 1, breakLength: Number.POSITIVE_INFINITY, customInspect: false });
};

/** What a stopped action said besides is for the log: it may tell of something that could not be cleared away. */
const stopped = (fault: unknown, { run }: ListRun, signal: AbortSignal, ready: Ready | undefined): FileAutomationException => {
  const error = stopError(signal.reason);
  if (fault !== signal.reason && fault instanceof FileAutomationException && !(fault instanceof CancelledException)) {
    const { type } = fault;
    run.house.log('info', `stopped work ended with: ${fault.message}`, {
      run_id: run.id,
      ...(ready && { action: ready.about.name }),
      type,
    });
  }
  return error;
};

const isSystemFault = (fault: unknown): fault is NodeJS.ErrnoException =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' && 'syscall' in fault;
