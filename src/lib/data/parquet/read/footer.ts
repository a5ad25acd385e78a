import type { ColumnMetaData, FileMetaData, RowGroup, SchemaTree } from 'hyparquet';
import type { ReadRange } from './file-bytes.ts';
import { demand, ParquetFault, WITHOUT_COLUMN } from './unreadable.ts';

/** What a file says of itself. */
export interface Footer {
  readonly groups: readonly RowGroup[];
  readonly tree: SchemaTree;
  /** What a group says of the bytes of a leaf column. */
  chunkOf(group: RowGroup, element: SchemaTree['element']): ColumnMetaData;
}

const TAIL_BYTES = 8;
const MAX_FOOTER_BYTES = 64 * 1024 * 1024;

/** Reads the end of a file, where its schema is and where its columns lie. */
export const readFooter = async (read: ReadRange, size: number): Promise<Footer> => {
  demand(size >= TAIL_BYTES, 'it is too short');
  const tail = Buffer.from(await read(size - TAIL_BYTES, size));
  const magic = tail.toString('latin1', 4);
  if (magic === 'PARE') throw encrypted('it is encrypted');
  demand(magic === 'PAR1', 'it does not end as Parquet files do');
  const length = tail.readUInt32LE(0);
  demand(length <= size - TAIL_BYTES && length <= MAX_FOOTER_BYTES, 'its footer lies outside it or is too large');
  const metadata = await parsed(await read(size - TAIL_BYTES - length, size));
  const { tree } = metadata;
  const places = new Map(leafElements(tree).map((element, index) => [element, index]));
  return { groups: metadata.row_groups, tree, chunkOf: (group, element) => chunkAt(group, places.get(element) ?? -1, element) };
};

/** The library takes the footer for well-formed, and stumbles where it is not. */
const parsed = async (bytes: Uint8Array): Promise<FileMetaData & { readonly tree: SchemaTree }> => {
  const { parquetMetadata, parquetSchema } = await import('hyparquet');
  try {
    const metadata = parquetMetadata(bytes, { geoparquet: false });
    // Also what the library declares to be there is only there in well-formed files.
    demand(
      metadata.schema.every(({ name }: { readonly name?: string }) => name !== undefined),
      'an element has no name',
    );
    return { ...metadata, tree: parquetSchema(metadata) };
  } catch (fault) {
    throw new ParquetFault('its footer is damaged', { cause: fault });
  }
};

/** Columns of a group lie in the order of the leaves of the schema. */
const leafElements = ({ element, children }: SchemaTree): SchemaTree['element'][] =>
  children.length === 0 && element.type !== undefined ? [element] : children.flatMap(leafElements);

const chunkAt = ({ columns }: RowGroup, index: number, { type }: SchemaTree['element']): ColumnMetaData => {
  const chunk = columns[index];
  demand(chunk !== undefined, 'a group does not have it');
  if (chunk.crypto_metadata !== undefined || chunk.encrypted_column_metadata !== undefined) throw encrypted('it is encrypted');
  if (chunk.file_path) throw new ParquetFault('its values are in another file, which is not supported', { remedy: WITHOUT_COLUMN });
  const { meta_data } = chunk;
  demand(meta_data !== undefined, 'nothing tells where it lies');
  demand(meta_data.type === type, 'it has another type than the schema tells');
  return meta_data;
};

const encrypted = (words: string) =>
  new ParquetFault(`${words}, which is not supported`, {
    remedy: 'have it written without encryption, or ask for columns that are not encrypted',
  });
