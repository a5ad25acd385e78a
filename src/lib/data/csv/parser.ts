import { csvFault, MAX_COLUMNS, MAX_FIELD_BYTES, MAX_RECORD_LENGTH } from './faults.ts';

/** Takes a row and the line it begins on; answers false to stop there. */
export type TakeRow = (fields: string[], line: number) => boolean;

/** Reads CSV from pieces of text that may be cut anywhere. */
export interface CsvParser {
  /** Reads on; answers how much of the text was used: all of it, unless the taker stopped. */
  push(text: string): number;
  /** Ends the last row. */
  end(): void;
  /** The line that is being read, counted from 1. */
  line(): number;
}

export interface CsvParserOptions {
  /** One character: no quote, no line break. */
  readonly delimiter: string;
  /** The file, for messages. */
  readonly name: string;
  /** The number of the first line. */
  readonly firstLine?: number;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;

/** `closing`: a quote was met inside quotes, which ends the field or is half of a doubled one. `breaking`: a line feed may follow. */
type State = 'field' | 'plain' | 'quoted' | 'closing' | 'breaking';

/**
 * The reader of RFC 4180: quotes only at the start of a field, doubled inside; rows end at LF, CRLF or CR; blank lines are skipped; a quote
 * further on in an unquoted field is text. What it refuses does not depend on where the text was cut.
 */
export const createCsvParser = ({ delimiter, name, firstLine = 1 }: CsvParserOptions, take: TakeRow): CsvParser => {
  const delimiterUnit = delimiter.charCodeAt(0);
  let state: State = 'field';
  let fields: string[] = [];
  let value = '';
  /** Of the value in UTF-8, once that may be too many. */
  let bytes = 0;
  /** It ends in the first half of a surrogate pair. */
  let endsInHalf = false;
  let isQuoted = false;
  let recordLength = 0;
  let line = firstLine;
  let rowLine = firstLine;
  let fieldLine = firstLine;
  let isAfterReturn = false;

  const extend = (piece: string) => {
    value = value === '' ? piece : value + piece;
    recordLength += piece.length;
    // A UTF-16 unit takes at most three bytes of UTF-8. The field is counted as a whole once, then only what is added: to look at a
    // text that grows is to copy it.
    if (value.length * 3 > MAX_FIELD_BYTES) {
      bytes = bytes === 0 ? Buffer.byteLength(value) : bytes + addedBytes(piece, endsInHalf);
      if (piece !== '') endsInHalf = isBetween(piece.charCodeAt(piece.length - 1), 0xd800, 0xdbff);
    }
    if (bytes > MAX_FIELD_BYTES) {
      throw csvFault(name, fieldLine, `a field is larger than ${MAX_FIELD_BYTES} bytes; shorten it, or close its quote`, {
        limit: MAX_FIELD_BYTES,
      });
    }
    if (recordLength > MAX_RECORD_LENGTH) {
      throw csvFault(name, rowLine, `a row is longer than ${MAX_RECORD_LENGTH} characters; split it`, { limit: MAX_RECORD_LENGTH });
    }
  };

  const endField = () => {
    fields.push(value);
    if (fields.length > MAX_COLUMNS)
      throw csvFault(name, rowLine, `a row has more than ${MAX_COLUMNS} fields; split the file by columns`, { limit: MAX_COLUMNS });
    value = '';
    bytes = 0;
    isQuoted = false;
    fieldLine = line;
    state = 'field';
  };

  /** Ends the row; a line with nothing on it is none. Answers whether to go on. */
  const endRow = (): boolean => {
    const isBlank = fields.length === 0 && value === '' && !isQuoted;
    if (!isBlank) endField();
    const row = fields;
    const startedOn = rowLine;
    fields = [];
    recordLength = 0;
    return isBlank || take(row, startedOn);
  };

  /** Counts the line breaks of a piece of a quoted field; a CR at its end and an LF at the start of the next are one. */
  const countBreaks = (piece: string) => {
    for (let at = 0; at < piece.length; at += 1) {
      const unit = piece.charCodeAt(at);
      if (unit === CARRIAGE_RETURN || (unit === LINE_FEED && !isAfterReturn)) line += 1;
      isAfterReturn = unit === CARRIAGE_RETURN;
    }
  };

  /** Deals with the character that ends a field; answers whether to go on. */
  const endAt = (unit: number): boolean => {
    if (unit === delimiterUnit) {
      endField();
      return true;
    }
    const goesOn = endRow();
    state = unit === CARRIAGE_RETURN ? 'breaking' : 'field';
    line += 1;
    rowLine = line;
    fieldLine = line;
    return goesOn;
  };

  const isEnd = (unit: number): boolean => unit === delimiterUnit || unit === LINE_FEED || unit === CARRIAGE_RETURN;

  return {
    push(text) {
      const { length } = text;
      for (let at = 0; at < length; ) {
        if (state === 'breaking') {
          if (text.charCodeAt(at) === LINE_FEED) at += 1;
          state = 'field';
        } else if (state === 'field' && text.charCodeAt(at) === QUOTE) {
          state = 'quoted';
          isQuoted = true;
          isAfterReturn = false;
          at += 1;
        } else if (state === 'field' || state === 'plain') {
          let to = at;
          while (to < length && !isEnd(text.charCodeAt(to))) to += 1;
          if (to > at) extend(text.slice(at, to));
          state = 'plain';
          at = to;
          if (at < length) {
            const goesOn = endAt(text.charCodeAt(at));
            at += 1;
            if (!goesOn) return at;
          }
        } else if (state === 'quoted') {
          const quote = text.indexOf('"', at);
          const to = quote === -1 ? length : quote;
          const piece = text.slice(at, to);
          extend(piece);
          countBreaks(piece);
          at = to;
          if (quote !== -1) {
            state = 'closing';
            at += 1;
          }
        } else {
          const unit = text.charCodeAt(at);
          if (unit === QUOTE) {
            extend('"');
            isAfterReturn = false;
            state = 'quoted';
          } else if (!isEnd(unit)) {
            throw csvFault(name, line, 'text stands behind a closing quote; double the quotes that belong to the field');
          } else if (!endAt(unit)) return at + 1;
          at += 1;
        }
      }
      return length;
    },
    end() {
      if (state === 'quoted') throw csvFault(name, fieldLine, 'the quote that opens here is never closed; add the closing one');
      if (state !== 'breaking') endRow();
    },
    line: () => line,
  };
};

/** How many bytes a text grows by; two halves of a surrogate pair that meet take four together, not three each. */
const addedBytes = (piece: string, isBehindHalf: boolean): number =>
  Buffer.byteLength(piece) - (isBehindHalf && isBetween(piece.charCodeAt(0), 0xdc00, 0xdfff) ? 2 : 0);

const isBetween = (unit: number, from: number, to: number): boolean => unit >= from && unit <= to;
