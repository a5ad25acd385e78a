import { isUtf8 } from 'node:buffer';
import type { Caller } from '../../access/caller.ts';
import { FileAutomationException, InternalException } from '../../core/errors.ts';
import { isLargeResult, jsonPieces } from '../../core/json-pieces.ts';
import type { RunResult } from '../../core/result.ts';
import { resultText } from '../../core/result-text.ts';
import { readJsonInSlices } from '../../lib/json/read-in-slices.ts';
import type { Doorway } from '../door.ts';

/** The line that answers a list, without its end: whole, or in pieces. */
export interface Answer {
  readonly line: string | Iterable<string>;
  /** Nothing that follows on the connection can be trusted. */
  readonly isLast: boolean;
}

/** Runs the list that these bytes are: its result or why it was refused. */
export const answerTo = async (bytes: Buffer, caller: Caller, doorway: Doorway): Promise<Answer> => {
  const { gateway, masker, limits } = doorway;
  let isRead = false;
  try {
    const reading = readJsonInSlices(bytes, { maxDepth: limits.jsonDepth });
    const request = reading instanceof Promise ? await reading : reading;
    isRead = true;
    const result = await gateway.run(request, { caller, source: 'tcp' });
    if (isLargeResult(result)) return { line: jsonPieces(result, { rewrite: masker.known }), isLast: false };
    return { line: resultText(masker.known(result) as RunResult), isLast: false }; // masking keeps the shape
  } catch (fault) {
    return { line: errorLine(fault, doorway), isLast: !isRead && !isJson(bytes) };
  }
};

/** The line that says why something was refused; faults of our own show nothing of the inside. */
export const errorLine = (fault: unknown, { masker, log }: Doorway): string => {
  if (fault instanceof FileAutomationException) return JSON.stringify(masker.known({ error: fault.toJSON() }));
  log('error', 'a list failed in a way it should not', { stack: fault instanceof Error ? (fault.stack ?? '') : String(fault) });
  return JSON.stringify({ error: new InternalException('Something went wrong inside; the log has the details.') });
};

/**
 * Whether the bytes are JSON at all, if not the strict kind. What is not has no end of its own either: its brackets were counted, but a
 * quotation mark that is missing shifts them, and what comes next may be the inside of a text.
 */
const isJson = (bytes: Buffer): boolean => {
  if (!isUtf8(bytes)) return false;
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
};
