/** Values beyond this size (letters of texts, and so much for each entry) are written in pieces of about as much. */
const PIECE = 64 * 1024;
/** What an entry costs beside its texts. */
const ENTRY = 8;

/** Whether writing a value as JSON would keep others waiting. Looks at no more of it than needed to tell. */
export const isLarge = (value: unknown): boolean => sizeUpTo(value, PIECE) >= PIECE;

/**
 * The JSON of a value in pieces of a bounded size: together they are what `JSON.stringify` gives. Between two pieces others can have their
 * turn, and what was sent need not be kept.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  let gathered = '';
  for (const text of partsOf(value)) {
    gathered += text;
    if (gathered.length < PIECE) continue;
    yield gathered;
    gathered = '';
  }
  if (gathered !== '') yield gathered;
}

function* partsOf(value: unknown): Generator<string> {
  if (!isLarge(value)) yield JSON.stringify(value) ?? 'null';
  else if (typeof value === 'string') yield* textParts(value);
  else if (Array.isArray(value)) yield* arrayParts(value);
  else if (typeof value === 'object' && value !== null && !('toJSON' in value)) yield* objectParts(value);
  else yield JSON.stringify(value);
}

/** A text in quotation marks. No cut goes through a letter that is a pair. */
function* textParts(text: string): Generator<string> {
  yield '"';
  for (let from = 0; from < text.length; ) {
    const to = endBefore(text, from + PIECE);
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}

const endBefore = (text: string, to: number): number => {
  const last = text.charCodeAt(to - 1);
  return to < text.length && last >= 0xd800 && last <= 0xdbff ? to + 1 : to;
};

function* arrayParts(values: readonly unknown[]): Generator<string> {
  let mark = '[';
  for (const value of values) {
    yield mark;
    yield* partsOf(value);
    mark = ',';
  }
  yield mark === '[' ? '[]' : ']';
}

function* objectParts(object: object): Generator<string> {
  let mark = '{';
  for (const [key, value] of Object.entries(object)) {
    if (isLeftOut(value)) continue;
    yield `${mark}${JSON.stringify(key)}:`;
    yield* partsOf(value);
    mark = ',';
  }
  yield mark === '{' ? '{}' : '}';
}

/** As `JSON.stringify` does it. */
const isLeftOut = (value: unknown): boolean => value === undefined || typeof value === 'function' || typeof value === 'symbol';

const sizeUpTo = (value: unknown, most: number): number => {
  if (typeof value === 'string') return value.length + ENTRY;
  if (typeof value !== 'object' || value === null) return ENTRY;
  let size = ENTRY;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && size < most; at += 1) size += sizeUpTo(value[at], most - size);
    return size;
  }
  for (const key in value) {
    if (size >= most) break;
    size += key.length + sizeUpTo(Reflect.get(value, key), most - size);
  }
  return size;
};
