import * as errors from './errors.ts';
import { type FileAutomationException, RecordedException } from './errors.ts';
import type { ErrorRecord, Outcome } from './result.ts';

type ErrorClass = new (message: string, options: errors.ExceptionOptions) => FileAutomationException;

/** The classes that a record can name: all of the catalogue but its root and the one that stands for unknown types. */
const CLASSES: ReadonlyMap<string, unknown> = new Map(
  Object.entries(errors).filter(([name]) => name !== 'FileAutomationException' && name !== 'RecordedException'),
);

/** An error from its wire form, of the class that its type names; a type that the catalogue does not have keeps its name. */
export const errorOf = (record: ErrorRecord, cause?: unknown): FileAutomationException => {
  const { type, message, context, retryable } = record;
  const known = CLASSES.get(type);
  if (known === undefined) return new RecordedException(record);
  // Every concrete class of the catalogue is exported under its type and takes a message and options.
  return new (known as ErrorClass)(message, { context, retryable, ...(cause !== undefined && { cause }) });
};

/** The error of a command that gave no value. One that was cancelled before it began has none of its own. */
export const errorOfOutcome = (outcome: Outcome): FileAutomationException => errorOf(outcome.error ?? unnamed(outcome));

const unnamed = ({ action, status, reason = status }: Outcome): ErrorRecord => ({
  type: status === 'cancelled' ? 'CancelledException' : 'ExecuteActionException',
  message: `${action ?? 'The action'} did not run: ${reason}.`,
  retryable: false,
  context: {},
});
