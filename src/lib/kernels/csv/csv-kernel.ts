import { instantiateKernel } from '../instantiate.ts';
import { KERNEL_BASE64 } from './kernel.generated.ts';

/** What became of a call: the input is used up, the output is full, or the next record is for the careful reader. */
export type CsvKernelStatus = 'done' | 'full' | 'unusual';

/** CSV bytes to JSON Lines bytes, for one file. */
export interface CsvKernel {
  /** Where bytes to convert are put. */
  readonly input: Uint8Array;
  /** Converts the whole records among the input's bytes from `from` to `to`. `output` is good until the next call. */
  convert(
    from: number,
    to: number,
    options: { readonly isLast: boolean },
  ): { readonly status: CsvKernelStatus; readonly consumed: number; readonly output: Uint8Array };
  /** Records and line breaks passed since the start. */
  rows(): number;
  lines(): number;
}

/** What a kernel is made for. */
export interface CsvKernelOptions {
  /** One ASCII character. */
  readonly delimiter: string;
  readonly columns: readonly string[];
  readonly inputBytes: number;
  readonly outputBytes: number;
}

const STATUSES: readonly CsvKernelStatus[] = ['done', 'full', 'unusual'];
/** Addresses below belong to the kernel itself. */
const FIRST_ADDRESS = 1_024;
const TABLE_ENTRY_BYTES = 16;
/** The kernel reads and writes this much beyond what it is told. */
const SLACK_BYTES = 64;
const LINE_FEED = 0x0a;

/** Prepares a kernel: the keys are encoded once, here. Undefined where there is no WebAssembly. */
export const createCsvKernel = ({ delimiter, columns, inputBytes, outputBytes }: CsvKernelOptions): CsvKernel | undefined => {
  const texts = columns
    .flatMap((name, index) => [`${index === 0 ? '{' : '",'}${JSON.stringify(name)}:"`, `,${JSON.stringify(name)}:null`])
    .map((text) => Buffer.from(text));
  const tableAt = FIRST_ADDRESS;
  const textsAt = tableAt + columns.length * TABLE_ENTRY_BYTES;
  const inputAt = align(textsAt + texts.reduce((sum, text) => sum + text.byteLength, 0) + SLACK_BYTES);
  const outputAt = align(inputAt + inputBytes + SLACK_BYTES);
  const kernel = instantiateKernel(KERNEL_BASE64, outputAt + outputBytes + SLACK_BYTES);
  if (kernel === undefined) return undefined;
  const bytes = new Uint8Array(kernel.memory.buffer);
  const table = new DataView(kernel.memory.buffer, tableAt, columns.length * TABLE_ENTRY_BYTES);

  let textAt = textsAt;
  for (const [index, text] of texts.entries()) {
    bytes.set(text, textAt);
    table.setUint32(index * 8, textAt, true);
    table.setUint32(index * 8 + 4, text.byteLength, true);
    textAt += text.byteLength;
  }
  kernel.call('configure', delimiter.charCodeAt(0), columns.length, tableAt);

  return {
    input: bytes.subarray(inputAt, inputAt + inputBytes),
    convert(from, to, { isLast }) {
      bytes.fill(LINE_FEED, inputAt + to, inputAt + to + SLACK_BYTES);
      const status = kernel.call('convert', inputAt + from, inputAt + to, isLast ? 1 : 0, outputAt, outputAt + outputBytes);
      return {
        status: STATUSES[status] ?? 'unusual',
        consumed: kernel.read('consumed') - inputAt,
        output: bytes.subarray(outputAt, kernel.read('produced')),
      };
    },
    rows: () => kernel.read('rows'),
    lines: () => kernel.read('lines'),
  };
};

const align = (address: number): number => Math.ceil(address / 16) * 16;
