import { DataOpsException } from '../../../core/errors.ts';
import { inferColumns, type Row } from './infer.ts';
import { toStored } from './to-stored.ts';
import { openParquetWriter } from './writer.ts';

/** Rows encoded at once. */
const GROUP_ROWS = 50_000;

/** Writes records as a Parquet file; `schema` gives the types that JSON cannot tell. */
export const writeRecords = async (records: readonly Row[], schema: Row, write: (bytes: Uint8Array) => Promise<void>): Promise<void> => {
  const columns = inferColumns(records, schema);
  if (columns.length === 0)
    throw new DataOpsException('Nothing tells the columns of the file; give a record with a key, or schema.', {
      context: { argument: 'records' },
    });
  const writer = await openParquetWriter(columns, write);
  for (let start = 0; start < records.length; start += GROUP_ROWS) {
    const group = records.slice(start, start + GROUP_ROWS);
    await writer.writeGroup(
      columns.map(({ name, type }) =>
        group.map((record, index) =>
          toStored(type, Object.hasOwn(record, name) ? record[name] : null, { record: start + index, column: name }),
        ),
      ),
    );
  }
  await writer.finish();
};
