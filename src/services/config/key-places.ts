/** Where a key of a TOML document stands, as an offset into its text. */
export type KeyPlaces = ReadonlyMap<string, number>;

/** The way to a value: names of keys, and numbers for entries of lists. */
export type KeyPath = readonly (string | number)[];

const BLANK = /(?:[ \t\r\n]|#[^\n]*)*/y;
const BARE_KEY = /[A-Za-z0-9_-]+/y;
const STRING = /"""(?:\\[\s\S]|[^\\])*?"{3,5}(?!")|'''[\s\S]*?'{3,5}(?!')|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/y;
/** A number, a word or a date, whose day and time may have a space between them. */
const SCALAR = /[^\s,\]}#]+(?: \d[^\s,\]}#]*)?/y;

/** Finds the keys of a document that is known to be TOML: the parser says what they hold, but not where they stand. */
export const findKeys = (text: string): KeyPlaces => {
  const places = new Map<string, number>();
  /** How far each `[[list]]` has got, by its path. */
  const lastEntry = new Map<string, number>();
  let at = 0;

  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const taken = pattern.exec(text)?.[0] ?? '';
    at += taken.length;
    return taken;
  };
  const skip = (characters: string): boolean => {
    const isThere = text.startsWith(characters, at);
    if (isThere) at += characters.length;
    return isThere;
  };
  const note = (path: KeyPath, place: number): void => {
    const id = idOf(path);
    if (!places.has(id)) places.set(id, place);
  };

  const readKey = (): string[] => {
    const parts: string[] = [];
    do {
      take(BLANK);
      const quoted = take(STRING);
      parts.push(quoted === '' ? take(BARE_KEY) : quoted.slice(1, -1));
      take(BLANK);
    } while (skip('.'));
    return parts;
  };

  const readValue = (path: KeyPath): void => {
    if (skip('[')) {
      for (let index = 0; ; index += 1) {
        take(BLANK);
        if (skip(']') || at >= text.length) return;
        note([...path, index], at);
        readValue([...path, index]);
        take(BLANK);
        skip(',');
      }
    }
    if (skip('{')) {
      for (;;) {
        take(BLANK);
        if (skip('}') || at >= text.length) return;
        readEntry(path);
        take(BLANK);
        skip(',');
      }
    }
    if (take(STRING) === '' && take(SCALAR) === '') at += 1; // only in what is not TOML: never stand still
  };

  const readEntry = (table: KeyPath): void => {
    const start = at;
    const path = [...table];
    for (const part of readKey()) {
      path.push(part);
      note(path, start);
    }
    skip('=');
    take(BLANK);
    readValue(path);
  };

  /** Below a `[[list]]` a name means its last entry. */
  const readHeader = (start: number, isEntry: boolean): KeyPath => {
    const path: (string | number)[] = [];
    const parts = readKey();
    for (const [index, part] of parts.entries()) {
      path.push(part);
      note(path, start);
      const entry = lastEntry.get(idOf(path));
      const isNew = isEntry && index === parts.length - 1;
      if (isNew) lastEntry.set(idOf(path), (entry ?? -1) + 1);
      if (isNew || entry !== undefined) path.push(isNew ? (entry ?? -1) + 1 : (entry ?? 0));
    }
    note(path, start);
    return path;
  };

  let table: KeyPath = [];
  for (take(BLANK); at < text.length; take(BLANK)) {
    const start = at;
    const isEntry = skip('[[');
    if (isEntry || skip('[')) {
      table = readHeader(start, isEntry);
      skip(isEntry ? ']]' : ']');
    } else readEntry(table);
  }
  return places;
};

/** Where a key stands; for one that is missing, where the table stands that should have it. */
export const placeOf = (places: KeyPlaces, path: KeyPath): number | undefined => {
  for (let length = path.length; length > 0; length -= 1) {
    const place = places.get(idOf(path.slice(0, length)));
    if (place !== undefined) return place;
  }
  return undefined;
};

const idOf = (path: KeyPath): string => JSON.stringify(path);
