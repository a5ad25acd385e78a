import { defineAction } from '../../core/action.ts';
import { oneOf, path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { ArgumentException, FileAccessException } from '../../core/errors.ts';
import type { Entry } from '../../core/files.ts';
import { plainText } from '../../core/plain-text.ts';
import * as shapes from '../../core/shapes.ts';
import { demandOk } from '../../core/steps-result.ts';

const BLOCK_BYTES = 1024 * 1024;

interface Wanted {
  readonly path: string;
  readonly original: string;
  readonly how: 'trash' | 'hardlink' | 'reflink';
}

/** Compares byte by byte what the two files hold now. */
const demandSame = async ({ files, signal }: Context, { path, original }: Wanted): Promise<readonly Entry[]> => {
  await using one = await files.open(path);
  await using other = await files.open(original);
  const [mine, theirs] = [Buffer.allocUnsafe(BLOCK_BYTES), Buffer.allocUnsafe(BLOCK_BYTES)];
  for (let position = 0; ; position += BLOCK_BYTES) {
    signal.throwIfAborted();
    const [bytes, others] = [await one.readAt(mine, position), await other.readAt(theirs, position)];
    if (!mine.subarray(0, bytes).equals(theirs.subarray(0, others))) {
      throw new FileAccessException(`${one.entry.path} does not hold the same as ${other.entry.path}; it stays as it is.`, {
        context: { path: one.entry.path, original: other.entry.path },
      });
    }
    if (bytes < BLOCK_BYTES) return [one.entry, other.entry];
  }
};

/** What was compared must still be what is there. */
const demandUnchanged = async ({ files }: Context, entries: readonly Entry[]): Promise<void> => {
  for (const { path, identity, size, mtimeMs } of entries) {
    const now = await files.stat(path);
    if (now?.identity === identity && now.size === size && now.mtimeMs === mtimeMs) continue;
    throw new FileAccessException(`${path} changed while it was compared; run again when nobody writes to it.`, {
      context: { path },
      retryable: true,
    });
  }
};

const replace = async (ctx: Context, args: Wanted): Promise<boolean> => {
  const { files, runSteps } = ctx;
  const { path, original, how } = args;
  const entries = await demandSame(ctx, args);
  if (entries[0]?.identity === entries[1]?.identity) {
    if (how !== 'trash') return false;
    throw new ArgumentException(`${path} is ${original} under another name; throwing it away would free nothing.`, {
      context: { argument: 'path', path },
    });
  }
  await demandUnchanged(ctx, entries);
  if (how === 'trash') demandOk(await runSteps([['FA_send_to_trash', { path: plainText(files.absolute(path)) }]]));
  else await share(ctx, { path, original, how });
  return true;
};

/** What systems answer where two files cannot share their space. */
const NOT_SHAREABLE: ReadonlySet<unknown> = new Set(['EXDEV', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'ENOTTY', 'EPERM', 'EMLINK']);

const share = async (
  { files, signal }: Context,
  { path, original, how }: Wanted & { readonly how: 'hardlink' | 'reflink' },
): Promise<void> => {
  try {
    await files.share(path, original, { how, signal });
  } catch (fault) {
    if (!(fault instanceof FileAccessException && NOT_SHAREABLE.has(fault.context.code))) throw fault;
    const [here, there] = [files.absolute(path), files.absolute(original)];
    const others = how === 'reflink' ? 'hardlink or trash' : 'trash';
    throw new FileAccessException(
      fault.context.code === 'EXDEV'
        ? `${here} and ${there} lie on different file systems and cannot share their space; use trash.`
        : `The file system of ${here} does not let it share its space with ${there} by ${how}; use ${others}.`,
      { context: { ...fault.context, path: here, original: there }, cause: fault },
    );
  }
};

export const replaceDuplicate = defineAction({
  name: 'FA_replace_duplicate',
  summary: 'Frees the disk space of a file that holds the same as another one; tells whether it took any.',
  args: {
    path: path('The file to replace; it is compared byte by byte before.', { role: ['reads', 'writes', 'removes'] }),
    original: path('The file that stays.', { role: 'reads' }),
    how: oneOf(
      'Make it one more name of the original (`hardlink`), a copy that shares its space until either changes (`reflink`), or throw it away (`trash`).',
      ['hardlink', 'reflink', 'trash'],
      { default: 'hardlink' },
    ),
  },
  returns: shapes.flag(),
  idempotent: true,
  examples: [
    {
      files: { a: 'same', b: 'same' },
      args: { path: 'b', original: 'a' },
      value: true,
      leaves: { a: 'same', b: 'same' },
    },
  ],
  plan: replace,
  run: replace,
});
