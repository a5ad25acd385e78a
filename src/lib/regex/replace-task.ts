import { TextOpsException } from '../../core/errors.ts';
import type { Task } from '../workers/task.ts';
import { compileRegex } from './compile.ts';
import { replaceMatches, type Stretch } from './replace.ts';
import { compileReplacement } from './replacement.ts';
import type { RegexFlags } from './translate.ts';

/** A stretch for a thread, with a pattern and a replacement that were accepted before. */
export interface ReplaceOrder extends Stretch {
  readonly pattern: string;
  readonly flags: RegexFlags;
  readonly replacement: string;
}

/** The stretch with its matches replaced, and how many there were. */
export interface Replaced {
  readonly text: string;
  readonly done: number;
}

/** A thread gives its result at once, so it must not be endless. */
const MAX_RESULT_CHARS = 64 * 1024 * 1024;

/** Replaces matches on whatever thread runs it. */
export const replaceTask: Task<ReplaceOrder, Replaced> = async ({ pattern, flags, replacement, ...stretch }) => {
  const regex = await compileRegex(pattern, flags);
  const pieces = replaceMatches(regex, compileReplacement(replacement, regex), stretch);
  let text = '';
  let done = 0;
  let piece = pieces.next();
  for (; piece.done !== true; piece = pieces.next()) {
    text += piece.value;
    done += 1;
    if (text.length > MAX_RESULT_CHARS) {
      throw new TextOpsException(`A line or file would grow beyond ${MAX_RESULT_CHARS} characters; make the replacement shorter.`, {
        context: { argument: 'replacement', limit: MAX_RESULT_CHARS },
      });
    }
  }
  return { value: { text: text + piece.value, done } };
};
