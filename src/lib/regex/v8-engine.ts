import { setFlagsFromString } from 'node:v8';
import { isOwnProcess } from '../process/own-process.ts';
import type { Find } from './match.ts';

/** Longer texts are not given to this engine: its time may grow with the square of their length. */
export const MAX_V8_CHARS = 2048;
/** Shorter texts cannot take long enough to be worth a look at the clock. */
const TIMED_FROM_CHARS = 256;
/** A pattern that does not get through so many characters in a millisecond is a hard one, once it had some time to show it. */
const SLOW_CHARS_PER_MS = 1_000;
const GRACE_MS = 100;

/**
 * The JavaScript engine for patterns that it can also run in linear time: it backtracks, and changes over to its linear engine
 * after 50,000 steps back. `translate` gives only patterns that it can change over with. Undefined where one is too large for it, and in
 * the process of somebody else, whose expressions the flag for it would change too.
 * `onSlow` hears when its searches take suspiciously long.
 */
export const findByV8 = (source: string, onSlow: () => void): Find | undefined => {
  const expression = linearExpression(source);
  if (expression === undefined) return undefined;
  const find: Find = (text, from) => {
    expression.lastIndex = from;
    const found = expression.exec(text);
    return found === null ? undefined : { start: found.index, end: expression.lastIndex, groups: found };
  };
  let usedMs = 0;
  let chars = 0;
  return (text, from) => {
    if (text.length < TIMED_FROM_CHARS) return find(text, from);
    const startedMs = performance.now();
    const match = find(text, from);
    usedMs += performance.now() - startedMs;
    chars += text.length;
    if (usedMs > GRACE_MS + chars / SLOW_CHARS_PER_MS) onSlow();
    return match;
  };
};

/**
 * The flag holds for the whole process: every expression compiled from then on changes over instead of hanging. It needs no other: with
 * the one that lets expressions ask for the linear engine, Node 26 dies when it starts a thread.
 */
const linearExpression = (source: string): RegExp | undefined => {
  if (!isOwnProcess) return undefined;
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
  try {
    return new RegExp(source, 'g');
  } catch (fault) {
    if (fault instanceof SyntaxError) return undefined;
    throw fault;
  }
};
