import type { CsvSink } from './reader.ts';

/** Gathers text up to this length before it is written out. */
const FLUSH_LENGTH = 256 * 1024;

/** Rows as JSON Lines: one object a row, columns in the order of the header, values as texts, null for what a short row leaves out. */
export const jsonlSink = (
  write: (bytes: Uint8Array) => Promise<void>,
  columns: readonly string[] = [],
): CsvSink & { finish(): Promise<void> } => {
  let keys = keysOf(columns);
  let gathered = '';
  const finish = async () => {
    if (gathered === '') return;
    const bytes = Buffer.from(gathered);
    gathered = '';
    await write(bytes);
  };
  return {
    header(names) {
      keys = keysOf(names);
    },
    row(fields) {
      let record = '{';
      for (let index = 0; index < keys.length; index += 1) record += keys[index] + JSON.stringify(fields[index] ?? null);
      gathered += `${record}}\n`;
    },
    async flush() {
      if (gathered.length >= FLUSH_LENGTH) await finish();
    },
    finish,
  };
};

const keysOf = (columns: readonly string[]): string[] => columns.map((name, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:`);
