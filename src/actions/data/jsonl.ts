import { dirname } from 'node:path';
import { defineAction } from '../../core/action.ts';
import { integer, path, record, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import type { Reader } from '../../core/files.ts';
import { anything, array, boolean, dictionary } from '../../core/shapes.ts';
import { readRecords } from '../../lib/data/jsonl/records.ts';
import { encodeText, openEdit } from '../../lib/text/encoding.ts';
import { counted, demandFile } from './source-file.ts';
import { ENCODING } from './words.ts';

export const jsonlIter = defineAction({
  name: 'FA_jsonl_iter',
  summary: 'Reads the records of a JSON Lines file, all or some of them; blank lines are skipped.',
  args: {
    path: path('The JSON Lines file.', { role: 'reads' }),
    limit: integer('Most records to read; 0 gives none, null all of them up to 64 MiB.', { default: null, min: 0 }),
    encoding: text(ENCODING, { default: 'utf-8' }),
    offset: integer('Records to leave out at the start.', { default: 0, min: 0 }),
  },
  returns: array(dictionary(anything())),
  idempotent: true,
  examples: [
    { files: { 'log.jsonl': '{"n":1}\n{"n":2}\n{"n":3}\n' }, args: { path: 'log.jsonl', limit: 1, offset: 1 }, value: [{ n: 2 }] },
  ],
  async run({ files, signal, progress }, { path: file, limit, encoding, offset }) {
    const { name, size } = await demandFile(files, file, 'path');
    await using source = await files.open(file);
    const chunks = counted(source.stream(), progress(`read ${name}`, size), signal);
    return await readRecords(chunks, { name: file, encoding, offset, limit: limit ?? Number.POSITIVE_INFINITY });
  },
});

interface AppendArgs {
  readonly path: string;
  readonly record: Readonly<Record<string, unknown>>;
  readonly encoding: string;
}

const plan = async ({ files, signal }: Context, { path: file, record: value, encoding }: AppendArgs): Promise<void> => {
  await files.makeDir(dirname(files.absolute(file)), { parents: true });
  const isNew = (await files.stat(file)) === undefined;
  const line = await encodeText(lineOf(value), encoding);
  await using target = await files.create(file, { signal, ...(isNew && { expectedBytes: line.byteLength }) });
  await target.commit();
};

/** Writes the whole file again, aside: an append in place could leave half a line behind. */
const run = async ({ files, signal }: Context, { path: file, record: value, encoding }: AppendArgs): Promise<boolean> => {
  await files.makeDir(dirname(files.absolute(file)), { parents: true });
  const existing = await files.stat(file);
  await using target = await files.create(file, { signal });
  if (existing === undefined) await target.write(await encodeText(lineOf(value), encoding));
  else {
    await using source = await files.open(file);
    for await (const chunk of source.stream()) await target.write(chunk);
    await target.write(await addition(source, value, encoding));
  }
  await target.commit();
  return true;
};

const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** What is put behind the content of a file: the line, and before it the line end that the last line may lack. */
const addition = async (source: Reader, value: unknown, encoding: string): Promise<Uint8Array> => {
  const { size } = source.entry;
  if (size === 0) return encodeText(lineOf(value), encoding);
  const first = Buffer.alloc(4);
  const { encoder } = await openEdit(encoding, first.subarray(0, await source.readAt(first, 0)));
  const lineEnd = encoder.write('\n');
  const last = Buffer.alloc(lineEnd.byteLength);
  await source.readAt(last, Math.max(0, size - last.byteLength));
  const line = encoder.write(lineOf(value));
  return last.equals(lineEnd) ? line : Buffer.concat([lineEnd, line]);
};

export const jsonlAppend = defineAction({
  name: 'FA_jsonl_append',
  summary: 'Appends one object as a line of a JSON Lines file; file and directories are created if missing.',
  args: {
    path: path('The JSON Lines file.', { role: 'writes' }),
    record: record('The object to append.', anything()),
    encoding: text(ENCODING, { default: 'utf-8' }),
  },
  returns: boolean(),
  examples: [
    {
      about: 'A last line without a line end gets one first.',
      files: { 'log.jsonl': '{"n":1}' },
      args: { path: 'log.jsonl', record: { n: 2, who: 'é' } },
      value: true,
      leaves: { 'log.jsonl': '{"n":1}\n{"n":2,"who":"é"}\n' },
    },
  ],
  plan,
  run,
});
