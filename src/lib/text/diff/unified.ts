import { type Change, changesBetween } from './changes.ts';
import { linesOf } from './lines.ts';

export interface UnifiedOptions {
  /** Unchanged lines shown around a change. */
  readonly context: number;
  readonly leftName: string;
  readonly rightName: string;
}

/** The difference of two texts in unified format, as `diff -u` writes it; empty when they are equal. */
export const unifiedDiff = async (
  leftText: string,
  rightText: string,
  { context, leftName, rightName }: UnifiedOptions,
): Promise<string> => {
  if (leftText === rightText) return '';
  const left = linesOf(leftText);
  const right = linesOf(rightText);
  const hunks = grouped(await changesBetween(left, right), context);
  return [`--- ${quoted(leftName)}\n+++ ${quoted(rightName)}\n`, ...hunks.map((hunk) => hunkText(hunk, left, right, context))].join('');
};

type Hunk = readonly [Change, ...Change[]];

/** Changes whose context would touch or overlap share a hunk. */
const grouped = (changes: readonly Change[], context: number): readonly Hunk[] => {
  const hunks: [Change, ...Change[]][] = [];
  for (const change of changes) {
    const open = hunks.at(-1);
    const last = open?.at(-1);
    if (open !== undefined && last !== undefined && change.left - last.leftEnd <= 2 * context) open.push(change);
    else hunks.push([change]);
  }
  return hunks;
};

const hunkText = (hunk: Hunk, left: readonly string[], right: readonly string[], context: number): string => {
  const [first] = hunk;
  const last = hunk.at(-1) ?? first;
  const before = Math.min(context, first.left);
  const after = Math.min(context, left.length - last.leftEnd);
  const ranges = `-${range(first.left - before, last.leftEnd + after)} +${range(first.right - before, last.rightEnd + after)}`;
  const body = function* () {
    let at = first.left - before;
    for (const change of hunk) {
      yield* prefixed(' ', left, at, change.left);
      yield* prefixed('-', left, change.left, change.leftEnd);
      yield* prefixed('+', right, change.right, change.rightEnd);
      at = change.leftEnd;
    }
    yield* prefixed(' ', left, at, at + after);
  };
  return `@@ ${ranges} @@\n${Array.from(body()).join('')}`;
};

function* prefixed(mark: string, lines: readonly string[], from: number, end: number): Generator<string> {
  for (let at = from; at < end; at += 1) {
    const line = lines[at] ?? '';
    yield line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`;
  }
}

/** Lines are counted from 1; an empty range names the line before it. */
const range = (from: number, end: number): string =>
  end - from === 1 ? `${end}` : end === from ? `${from},0` : `${from + 1},${end - from}`;

/** A name that would break its line is written as a C string, as `diff` does. */
const quoted = (name: string): string => (/[\x00-\x1f"\\\x7f]/.test(name) ? JSON.stringify(name) : name);
