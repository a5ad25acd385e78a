import { TimeSlice, threadSlices } from '../async/time-slice.ts';
import { beginCheck, type Checked, checkOn } from './check.ts';
import { decode } from './decode.ts';
import type { Level } from './level.ts';
import { type ReadJsonOptions, readJson } from './read.ts';

/** About how much is checked and parsed at once: a millisecond or two. */
const PIECE_LENGTH = 128 * 1024;

type Container = unknown[] | { [key: string]: unknown };

/** An array or object that goes on in the next piece; of an object, with the key whose value does. */
interface OpenLevel {
  readonly kind: 'array' | 'object';
  readonly key: string | undefined;
}

/** What `readJson` gives; a long text is read piece by piece, and others have the thread in between. */
export const readJsonInSlices = (input: Buffer, options: ReadJsonOptions): unknown =>
  input.length <= PIECE_LENGTH ? readJson(input, options) : readLong(input, options, new TimeSlice(threadSlices));

const readLong = async (
  input: Buffer,
  { maxDepth = 64, allowBom = false, name, excerpt = false }: ReadJsonOptions,
  slice: TimeSlice,
): Promise<unknown> => {
  const source = decode(input, { allowBom, name, excerpt });
  const { text } = source;
  const checked = beginCheck(source);
  /** The containers that go on, the outermost first. */
  let spine: Container[] = [];
  let open: readonly OpenLevel[] = [];
  let root: unknown;
  for (let from = 0; ; ) {
    checkOn(source, maxDepth, checked, checked.at + PIECE_LENGTH);
    const end = checked.isDone ? text.length : text.lastIndexOf(',', checked.at - 1);
    const goesOn = checked.isDone ? [] : openLevels(checked);
    // With what is open around it, every piece is JSON by itself.
    const opening = open.map(({ kind, key }) => (kind === 'array' ? '[' : key === undefined ? '{' : `{${JSON.stringify(key)}:`)).join('');
    const closing = checked.isDone
      ? ''
      : goesOn
          .map(({ kind }) => (kind === 'array' ? ']' : '}'))
          .reverse()
          .join('');
    const piece: unknown = JSON.parse(opening + text.slice(from, end) + closing);
    if (open.length === 0) root = piece;
    else addPiece(spine, open, piece);
    if (checked.isDone) return root;
    spine = spineOf(root, goesOn);
    open = goesOn;
    from = checked.at;
    if (slice.isOver(STEPS_OF_A_PIECE)) await slice.next();
  }
};

/** After this many steps the clock is looked at. */
const STEPS_OF_A_PIECE = 64;

/** The innermost level goes on with its next element; the others with the value that is under way. */
const openLevels = ({ outer, level }: Checked): OpenLevel[] => [
  ...outer.map((each) => ({ kind: each.kind, key: each.kind === 'object' ? lastKeyOf(each) : undefined })),
  ...(level === undefined ? [] : [{ kind: level.kind, key: undefined }]),
];

const lastKeyOf = ({ keys }: Level): string => (Array.isArray(keys) ? keys : [...keys]).at(-1) ?? '';

/** The containers that are open at the end of what was read, the outermost first. */
const spineOf = (root: unknown, open: readonly OpenLevel[]): Container[] => {
  let at = root;
  return open.map(({ key }) => {
    const container = at as Container; // it is open, so it is one
    at = Array.isArray(container) ? container.at(-1) : container[key ?? ''];
    return container;
  });
};

/** Adds what a piece holds to the containers that were open before it: of each but the innermost, the first value is the next one itself. */
const addPiece = (spine: readonly Container[], open: readonly OpenLevel[], piece: unknown): void => {
  let part = piece;
  for (const [at, container] of spine.entries()) {
    const key = open[at]?.key;
    const isInnermost = at === spine.length - 1;
    const more = part as Container; // made of the brackets that `open` says
    if (Array.isArray(more) && Array.isArray(container)) {
      for (let index = isInnermost ? 0 : 1; index < more.length; index += 1) container.push(more[index]);
      part = more[0];
    } else if (!Array.isArray(more)) {
      for (const [name, value] of Object.entries(more))
        if (isInnermost || name !== key)
          Object.defineProperty(container, name, { value, writable: true, enumerable: true, configurable: true });
      part = more[key ?? ''];
    }
  }
};
