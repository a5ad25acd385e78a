// Looks into tables of parquet-wasm by the Arrow C data interface: a reader of Parquet that shares no code with ours.
import { readParquet, type Table, wasmMemory } from 'parquet-wasm';

/** A column as Arrow has it: its format word (`l` int64, `u` text, `tsu:UTC` …) and its values. */
export interface ArrowColumn {
  readonly name: string;
  readonly format: string;
  readonly values: readonly unknown[];
}

/** The columns of a Parquet file. Whole numbers are bigints, decimals their digits as bigint, times bigints of their unit, bytes hex. */
export const arrowColumns = (parquet: Uint8Array): ArrowColumn[] => columnsOf(readParquet(parquet));

/** The columns of a table; it is used up. */
export const columnsOf = (table: Table): ArrowColumn[] => {
  const stream = table.intoFFI();
  const memory = new DataView(wasmMemory().buffer);
  const schema = readSchema(memory, stream.schemaAddr());
  const columns = schema.children.map(({ name, format }) => ({ name, format, values: [] as unknown[] }));
  for (const address of stream.arrayAddrs()) {
    const batch = readArray(memory, address);
    for (const [index, child] of schema.children.entries())
      columns[index]?.values.push(...valuesOf(memory, child, batch.children[index] ?? 0));
  }
  stream.free();
  return columns;
};

interface Schema {
  readonly name: string;
  readonly format: string;
  readonly children: readonly Schema[];
}

const textAt = (memory: DataView, address: number): string => {
  let end = address;
  while (memory.getUint8(end) !== 0) end += 1;
  return Buffer.from(memory.buffer, address, end - address).toString();
};

const pointers = (memory: DataView, address: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => memory.getUint32(address + 4 * index, true));

const readSchema = (memory: DataView, address: number): Schema => ({
  format: textAt(memory, memory.getUint32(address, true)),
  name: textAt(memory, memory.getUint32(address + 4, true)),
  children: pointers(memory, memory.getUint32(address + 32, true), Number(memory.getBigInt64(address + 24, true))).map((child) =>
    readSchema(memory, child),
  ),
});

const readArray = (memory: DataView, address: number) => {
  const field = (offset: number) => Number(memory.getBigInt64(address + offset, true));
  return {
    length: field(0),
    offset: field(16),
    buffers: pointers(memory, memory.getUint32(address + 40, true), field(24)),
    children: pointers(memory, memory.getUint32(address + 44, true), field(32)),
  };
};

const valuesOf = (memory: DataView, schema: Schema, address: number): unknown[] => {
  const { length, offset, buffers, children } = readArray(memory, address);
  const [validity = 0, data = 0, extra = 0] = buffers;
  const bit = (buffer: number, index: number) => ((memory.getUint8(buffer + (index >> 3)) >> (index & 7)) & 1) === 1;
  const items = schema.children.map((child, index) => valuesOf(memory, child, children[index] ?? 0));
  const valueAt = (index: number): unknown => {
    const { format } = schema;
    const width = WIDTHS[format[0] ?? ''] ?? 0;
    switch (format.startsWith('t') ? format.slice(0, 3) : format.split(':')[0]) {
      case 'b':
        return bit(data, index);
      case 'c':
        return BigInt(memory.getInt8(data + index));
      case 'C':
        return BigInt(memory.getUint8(data + index));
      case 's':
        return BigInt(memory.getInt16(data + index * width, true));
      case 'S':
        return BigInt(memory.getUint16(data + index * width, true));
      case 'i':
      case 'tdD':
      case 'ttm':
        return BigInt(memory.getInt32(data + index * 4, true));
      case 'I':
        return BigInt(memory.getUint32(data + index * width, true));
      case 'L':
        return memory.getBigUint64(data + index * width, true);
      case 'l':
      case 'ttu':
      case 'ttn':
      case 'tsm':
      case 'tsu':
      case 'tsn':
        return memory.getBigInt64(data + index * 8, true);
      case 'f':
        return memory.getFloat32(data + index * width, true);
      case 'g':
        return memory.getFloat64(data + index * width, true);
      case 'd':
        return (memory.getBigInt64(data + index * 16 + 8, true) << 64n) + memory.getBigUint64(data + index * 16, true);
      case 'w':
        return bytesAt(memory, data + index * Number(format.slice(2)), Number(format.slice(2))).toString('hex');
      case 'u':
      case 'z': {
        const from = memory.getInt32(data + index * 4, true);
        const bytes = bytesAt(memory, extra + from, memory.getInt32(data + index * 4 + 4, true) - from);
        return format === 'u' ? bytes.toString() : bytes.toString('hex');
      }
      case '+l':
      case '+m':
        return items[0]?.slice(memory.getInt32(data + index * 4, true), memory.getInt32(data + index * 4 + 4, true));
      case '+s':
        return Object.fromEntries(schema.children.map(({ name }, child) => [name, items[child]?.[index]]));
      default:
        throw new Error(`no reader for the Arrow format ${format}`);
    }
  };
  return Array.from({ length }, (_, index) => (validity !== 0 && !bit(validity, offset + index) ? null : valueAt(offset + index)));
};

const WIDTHS: Readonly<Record<string, number>> = { s: 2, S: 2, i: 4, I: 4, l: 8, L: 8, f: 4, g: 8 };

const bytesAt = (memory: DataView, address: number, length: number): Buffer => Buffer.from(new Uint8Array(memory.buffer, address, length));
