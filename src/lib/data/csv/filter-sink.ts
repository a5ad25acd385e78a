import { DataOpsException } from '../../../core/errors.ts';
import type { Encoder } from '../../text/encodings/codec.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { CsvSink } from './reader.ts';

/** What a filter keeps and how it writes it. */
export interface CsvFilter {
  readonly delimiter: string;
  /** The columns to keep, in the order wanted; null keeps all. */
  readonly columns: readonly string[] | null;
  /** Only rows with exactly this text in this column. */
  readonly where: { readonly column: string; readonly equals: string } | undefined;
  /** Put an apostrophe before what a sheet program would calculate. */
  readonly escapeFormulas: boolean;
}

/** Gathers text up to this length before it is written out. */
const FLUSH_LENGTH = 256 * 1024;

/** Writes chosen columns of chosen rows as CSV; lines end in CRLF as RFC 4180 has it. */
export const filterSink = (
  filter: CsvFilter,
  encoder: Encoder,
  write: (bytes: Uint8Array) => Promise<void>,
): CsvSink & { finish(): Promise<number> } => {
  const { delimiter, where, escapeFormulas } = filter;
  let chosen: readonly number[] = [];
  let condition = -1;
  let gathered = '';
  let kept = 0;

  const cell = (value: string): string => {
    const safe = escapeFormulas && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return safe.includes(delimiter) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const put = (fields: readonly string[]) => {
    const line = chosen.map((index) => cell(fields[index] ?? '')).join(delimiter);
    // An empty line would be no row.
    gathered += `${line === '' ? '""' : line}\r\n`;
  };
  const out = async (text: string) => {
    gathered = '';
    if (text !== '') await write(encoder.write(text));
  };

  return {
    header(columns) {
      const places = placesOf(columns);
      chosen = filter.columns === null ? columns.map((_, index) => index) : filter.columns.map((name) => placeOf(places, name, 'columns'));
      if (where !== undefined) condition = placeOf(places, where.column, 'where_column');
      put(columns);
    },
    row(fields) {
      if (where !== undefined && fields[condition] !== where.equals) return;
      kept += 1;
      put(fields);
    },
    async flush() {
      if (gathered.length >= FLUSH_LENGTH) await out(gathered);
    },
    async finish() {
      await out(gathered);
      const rest = encoder.end();
      if (rest.byteLength > 0) await write(rest);
      return kept;
    },
  };
};

/** Checks that columns exist without reading rows. */
export const checkFilter = (columns: readonly string[], { columns: wanted, where }: Pick<CsvFilter, 'columns' | 'where'>): void => {
  const places = placesOf(columns);
  for (const name of wanted ?? []) placeOf(places, name, 'columns');
  if (where !== undefined) placeOf(places, where.column, 'where_column');
};

type Places = ReadonlyMap<string, number>;

const placesOf = (columns: readonly string[]): Places => new Map(columns.map((name, index) => [name, index]));

const placeOf = (places: Places, name: string, argument: string): number => {
  const index = places.get(name);
  if (index !== undefined) return index;
  const shown = JSON.stringify(name.slice(0, 100));
  throw new DataOpsException(`No column is named ${shown}${didYouMean(name, [...places.keys()]) || '; use a name of the header.'}`, {
    context: { argument, column: name.slice(0, 100) },
  });
};
