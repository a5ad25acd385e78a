import { defineAction } from '../../core/action.ts';
import { flag, integer, path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { TextOpsException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { editFile } from '../../lib/fs/edit-file.ts';
import { compileRegex } from '../../lib/regex/compile.ts';
import { openEdit } from '../../lib/text/encoding.ts';
import { replacePattern } from '../../lib/text/replace-pattern.ts';
import { replaceText, type Tally } from '../../lib/text/replace-text.ts';
import { decodeChunks, type Edit, encodeChunks, keepingMark } from '../../lib/text/stream.ts';
import { counted } from './counted.ts';

interface SedReplaceArgs {
  readonly file_path: string;
  readonly pattern: string;
  readonly replacement: string;
  readonly regex: boolean;
  readonly count: number;
  readonly encoding: string;
}

const replace = async (context: Context, args: SedReplaceArgs): Promise<number> => {
  const { signal, progress } = context;
  const { file_path, count, encoding } = args;
  const replacerFor = await openReplacer(args, signal);
  return editFile(context, file_path, async (source, target) => {
    const tally: Tally = { done: 0, most: count === 0 ? Number.POSITIVE_INFINITY : count };
    const first = new Uint8Array(4);
    const { decoder, encoder } = await openEdit(encoding, first.subarray(0, await source.readAt(first, 0)));
    const chunks = counted(source.stream(), progress(`replace in ${source.entry.name}`, source.entry.size));
    const edited = encodeChunks(keepingMark(decodeChunks(chunks, decoder), replacerFor(tally)), encoder);
    for await (const bytes of edited) await target.write(bytes);
    return { value: tally.done, isChanged: tally.done > 0 };
  });
};

const openReplacer = async ({ pattern, replacement, regex }: SedReplaceArgs, signal: AbortSignal): Promise<(tally: Tally) => Edit> => {
  if (!regex) {
    if (pattern === '')
      throw new TextOpsException('An empty text is found everywhere; give a pattern.', { context: { argument: 'pattern' } });
    return (tally) => (texts) => replaceText(texts, pattern, replacement, tally);
  }
  const compiled = await compileRegex(pattern);
  return (tally) => (texts) => replacePattern(texts, compiled, { replacement, tally, signal });
};

export const sedReplace = defineAction({
  name: 'FA_sed_replace',
  summary: 'Replaces text in a file in place and tells how often.',
  args: {
    file_path: path('The file to change; it stays untouched when nothing matches.', { role: ['reads', 'writes'] }),
    pattern: text('What to look for: a literal text, or with regex an expression of RE2 syntax; (?m) lets ^ and $ match at every line.'),
    replacement: text('What to put there; with regex \\1, \\g<name> and \\g<0> stand for groups.', { isContent: true }),
    regex: flag('Read the pattern as a regular expression.', { default: false }),
    count: integer('Most replacements; 0 replaces all.', { default: 0, min: 0 }),
    encoding: text('How the bytes of the file are read and written.', { default: 'utf-8' }),
  },
  returns: shapes.integer(),
  examples: [
    {
      files: { 'a.txt': 'one fish, two fish\n' },
      args: { file_path: 'a.txt', pattern: 'fish', replacement: 'cat' },
      value: 2,
      leaves: { 'a.txt': 'one cat, two cat\n' },
    },
    {
      about: 'Groups of an expression change places.',
      files: { 'a.txt': 'k=v x=y' },
      args: { file_path: 'a.txt', pattern: '(\\w+)=(\\w+)', replacement: '\\2=\\1', regex: true },
      value: 2,
      leaves: { 'a.txt': 'v=k y=x' },
    },
  ],
  plan: replace,
  run: replace,
});
