import { defineAction } from '../../core/action.ts';
import { integer, path, record, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { FileNotExistsException } from '../../core/errors.ts';
import type { Addition, Reader } from '../../core/files.ts';
import * as shapes from '../../core/shapes.ts';
import { readRecords } from '../../lib/data/jsonl/records.ts';
import { encodeText, openEdit } from '../../lib/text/encoding.ts';
import { CHUNK_BYTES, counted, demandFile } from './source-file.ts';
import { ENCODING } from './words.ts';

export const jsonlIter = defineAction({
  name: 'FA_jsonl_iter',
  summary: 'Reads the records of a JSON Lines file, all or some of them; blank lines are skipped.',
  args: {
    path: path('The JSON Lines file.', { role: 'reads', wrong: FileNotExistsException }),
    limit: integer('Most records to read; 0 gives none, null all of them up to 64 MiB.', { default: null, min: 0 }),
    encoding: text(ENCODING, { default: 'utf-8' }),
    offset: integer('Records to leave out at the start.', { default: 0, min: 0 }),
  },
  returns: shapes.list(shapes.record(shapes.json())),
  idempotent: true,
  examples: [
    { files: { 'log.jsonl': '{"n":1}\n{"n":2}\n{"n":3}\n' }, args: { path: 'log.jsonl', limit: 1, offset: 1 }, value: [{ n: 2 }] },
  ],
  async run({ files, signal, progress }, { path: file, limit, encoding, offset }) {
    const { name, size } = await demandFile(files, file, 'path');
    await using source = await files.open(file);
    const chunks = counted(source.stream({ chunkBytes: CHUNK_BYTES }), progress(`read ${name}`, size), signal);
    return await readRecords(chunks, { name: file, encoding, offset, limit: limit ?? Number.POSITIVE_INFINITY });
  },
});

interface AppendArgs {
  readonly path: string;
  readonly record: Readonly<Record<string, unknown>>;
  readonly encoding: string;
}

const append = async ({ files, signal }: Context, { path: file, record: value, encoding }: AppendArgs): Promise<boolean> => {
  const line = `${JSON.stringify(value)}\n`;
  await files.append(file, (source) => compose(source, line, encoding), { signal });
  return true;
};

/** The line in the encoding of the file; only a new file gets a byte order mark. */
const compose = async (file: Reader | undefined, line: string, encoding: string): Promise<Addition> => {
  if (file === undefined || file.entry.size === 0) return { record: await encodeText(line, encoding) };
  const first = Buffer.alloc(4);
  const { encoder } = await openEdit(encoding, first.subarray(0, await file.readAt(first, 0)));
  const end = encoder.write('\n');
  return { end, record: encoder.write(line) };
};

export const jsonlAppend = defineAction({
  name: 'FA_jsonl_append',
  summary: 'Appends one object as a line of a JSON Lines file; file and directories are created if missing.',
  args: {
    path: path('The JSON Lines file.', { role: 'writes' }),
    record: record('The object to append.', shapes.json(), { isContent: true }),
    encoding: text(ENCODING, { default: 'utf-8' }),
  },
  returns: shapes.flag(),
  examples: [
    {
      about: 'A last line without a line end gets one first.',
      files: { 'log.jsonl': '{"n":1}' },
      args: { path: 'log.jsonl', record: { n: 2, who: 'é' } },
      value: true,
      leaves: { 'log.jsonl': '{"n":1}\n{"n":2,"who":"é"}\n' },
    },
  ],
  plan: append,
  run: append,
});
