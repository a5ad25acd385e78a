import { DataOpsException } from '../../../core/errors.ts';
import { textChunks } from '../text-chunks.ts';
import { csvFault } from './faults.ts';
import { createCsvParser } from './parser.ts';

/** How a file is written. */
export interface CsvFormat {
  /** The file, for messages. */
  readonly name: string;
  readonly delimiter: string;
  readonly encoding: string;
}

/** What becomes of the rows of a file. */
export interface CsvSink {
  /** The column names, checked; called once, before any row. */
  header(columns: readonly string[]): void;
  /** A row with as many fields as there are columns, or fewer. */
  row(fields: readonly string[]): void;
  /** Called between pieces of the file: the place to write out what has gathered. */
  flush(): Promise<void>;
}

/** Where to go on when the beginning of a file has been read already: behind its header, at the start of a row. */
export interface CsvResume {
  readonly columns: readonly string[];
  readonly line: number;
  /** The offset in the file of the first byte that is handed over. */
  readonly position: number;
}

/** Reads a file row by row; in memory is what `flush` has not written yet. Answers the number of rows, and the columns if there is a header. */
export const readCsv = async (
  bytes: AsyncIterable<Uint8Array>,
  { name, delimiter, encoding }: CsvFormat,
  sink: CsvSink,
  resume?: CsvResume,
): Promise<{ readonly rows: number; readonly columns: readonly string[] | undefined }> => {
  checkDelimiter(delimiter);
  let columns = resume?.columns;
  let rows = 0;
  const parser = createCsvParser({ delimiter, name, firstLine: resume?.line ?? 1 }, (fields, line) => {
    if (columns === undefined) {
      columns = fields;
      checkColumns(name, line, fields);
      sink.header(fields);
    } else {
      if (fields.length > columns.length) throw longRow(name, line, fields.length, columns.length);
      rows += 1;
      sink.row(fields);
    }
    return true;
  });
  for await (const { text, badByte } of textChunks(bytes, { encoding, isStart: resume === undefined })) {
    parser.push(text);
    if (badByte !== undefined) throw badEncoding(name, parser.line(), encoding, (resume?.position ?? 0) + badByte);
    await sink.flush();
  }
  parser.end();
  await sink.flush();
  return { rows, columns };
};

/** The header alone; undefined for a file without one. */
export const readCsvHeader = async (
  bytes: AsyncIterable<Uint8Array>,
  { name, delimiter, encoding }: CsvFormat,
): Promise<readonly string[] | undefined> => {
  checkDelimiter(delimiter);
  let columns: readonly string[] | undefined;
  const parser = createCsvParser({ delimiter, name }, (fields, line) => {
    columns = fields;
    checkColumns(name, line, fields);
    return false;
  });
  for await (const { text, badByte } of textChunks(bytes, { encoding, isStart: true })) {
    parser.push(text);
    if (columns !== undefined) return columns;
    if (badByte !== undefined) throw badEncoding(name, parser.line(), encoding, badByte);
  }
  parser.end();
  return columns;
};

/** Refuses what cannot part fields. */
export const checkDelimiter = (delimiter: string): void => {
  if (delimiter.length === 1 && !/["\r\n]/.test(delimiter)) return;
  throw new DataOpsException(
    `The delimiter ${JSON.stringify(delimiter.slice(0, 20))} cannot part fields; use one character that is no quote and no line break.`,
    {
      context: { argument: 'delimiter' },
    },
  );
};

/** Refuses column names that could not be told apart. */
export const checkColumns = (name: string, line: number, columns: readonly string[]): void => {
  const seen = new Set<string>();
  for (const [index, column] of columns.entries()) {
    if (column === '') throw csvFault(name, line, `column ${index + 1} has no name; give it one`, { column: index + 1 });
    if (seen.has(column))
      throw csvFault(name, line, `the column ${JSON.stringify(column.slice(0, 100))} stands twice in the header; rename one of them`, {
        column: index + 1,
      });
    seen.add(column);
  }
};

const longRow = (name: string, line: number, fields: number, columns: number) =>
  csvFault(
    name,
    line,
    `the row has ${fields} fields, the header ${columns} columns; remove the surplus or quote the field that holds a delimiter`,
    { fields, columns },
  );

const badEncoding = (name: string, line: number, encoding: string, offset: number) =>
  csvFault(name, line, `the byte at offset ${offset} is not valid ${encoding}; name the encoding the file is really in`, {
    encoding,
    offset,
  });
