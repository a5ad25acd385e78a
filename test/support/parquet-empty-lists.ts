import { type Element, parquetFile, run } from './parquet-bytes.ts';

/** A file of columns c0, c1 … of empty lists: a few bytes tell of any number of rows. */
export const parquetOfEmptyLists = (rows: number, columns = 1): Buffer => {
  const names = Array.from({ length: columns }, (_, index) => `c${index}`);
  const page = { count: rows, repetitions: run(rows, 0), definitions: run(rows, 0) };
  return parquetFile(
    rows,
    names.map((name): Element => ({ name, repetition: 'REPEATED', type: 'INT32' })),
    names.map((name) => ({ path: [name], type: 'INT32', pages: [page] })),
  );
};
