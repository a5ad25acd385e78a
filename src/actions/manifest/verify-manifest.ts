import { join } from 'node:path';
import { defineAction } from '../../core/action.ts';
import { flag, path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { FileAccessException, FileAutomationException, FileNotExistsException, ManifestException } from '../../core/errors.ts';
import type { Reader } from '../../core/files.ts';
import { type OnMismatch, onMismatch } from '../../core/on-mismatch.ts';
import * as shapes from '../../core/shapes.ts';
import { watched } from '../../lib/fs/watched.ts';
import { type Manifest, readManifest } from '../../lib/manifest/read-manifest.ts';
import { isInSlice, readSlice } from '../../lib/manifest/slice.ts';
import { type Verified, verifyManifest } from '../../lib/manifest/verify-manifest.ts';
import { bounded } from '../../lib/partial/bounded.ts';
import { MOST_TOLD } from '../../lib/partial/failures.ts';
import { nothingLeftOut } from '../../lib/search/left-out.ts';
import { noteLeftOut } from '../../lib/search/note-left-out.ts';
import { ownPath } from './own-path.ts';

const CHUNK_BYTES = 128 * 1024;

interface Wanted {
  readonly root: string;
  readonly manifest_path: string;
  readonly subset: string | null;
  readonly on_mismatch: OnMismatch;
}

/** Everything that can be wrong before a tree is read, in a dry run too. */
const prepare = async (ctx: Context, { root, manifest_path, subset }: Wanted) => {
  const slice = subset === null ? undefined : readSlice(subset);
  const grant = await ctx.files.grant(root, 'read');
  await ctx.files.coverTree?.(root, { signal: ctx.signal }).catch((fault: unknown) => {
    if (!(fault instanceof FileAccessException)) throw fault; // what cannot be read is told in the value
  });
  return { slice, grant, manifest: await read(ctx, manifest_path) };
};

const read = async ({ files }: Context, manifestPath: string): Promise<Manifest> => {
  const shown = files.absolute(manifestPath);
  try {
    await using reader = await files.open(manifestPath);
    return await readManifest(chunksOf(reader), shown);
  } catch (fault) {
    if (!(fault instanceof FileNotExistsException)) throw fault;
    throw new ManifestException(`No manifest is at ${shown}; check the path.`, {
      context: { argument: 'manifest_path', path: shown },
      cause: fault,
    });
  }
};

/** Through one buffer, because a manifest may be long: each chunk is good only until the next one is asked for. */
async function* chunksOf(reader: Reader): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  for (let position = 0; ; position += chunk.byteLength) {
    const bytes = await reader.readAt(chunk, position);
    yield chunk.subarray(0, bytes);
    if (bytes < chunk.byteLength) return;
  }
}

/** Why a file cannot be read; undefined where it is not there. */
const explain = async ({ files }: Context, file: string): Promise<string | undefined> => {
  try {
    await using _ = await files.open(file);
    return `${file} changed while it was read; run again when nobody writes to it.`;
  } catch (fault) {
    if (!(fault instanceof FileAutomationException)) throw fault;
    return fault instanceof FileNotExistsException ? undefined : fault.message;
  }
};

const differs = (root: string, value: Verified & { readonly ok: boolean }) => {
  const { missing, modified, errors } = value;
  return new ManifestException(
    `${root} is not as its manifest says: ${missing.length} files are missing, ${modified.length} modified and ${errors.length} cannot be judged; put them back or write the manifest again.`,
    { context: { path: root, summary: bounded(value, MOST_TOLD) } },
  );
};

export const verifyTree = defineAction({
  name: 'FA_verify_manifest',
  summary: 'Compares a directory with its manifest.',
  args: {
    root: path('The directory; it may have moved since.', { role: 'readsTree' }),
    manifest_path: path('The manifest.', { role: 'reads' }),
    subset: text('Check one part of all files only: `3/30` is the third of thirty; the parts never overlap.', { default: null }),
    trust_times: flag('Take a file of the same size and time for the same; the manifest must have been written with `times`.', {
      default: false,
    }),
    on_mismatch: onMismatch(),
  },
  returns: shapes.object({
    matched: shapes.list(shapes.text()),
    missing: shapes.list(shapes.text()),
    modified: shapes.list(shapes.text()),
    extra: shapes.list(shapes.text()),
    errors: shapes.list(shapes.list(shapes.text())),
    ok: shapes.flag(),
  }),
  question: { no: 'something is missing, modified or cannot be judged', isNo: ({ ok }) => !ok },
  idempotent: true,
  examples: [
    {
      about: 'Files that are not in the manifest do not spoil it.',
      files: {
        'd/a': 'abc',
        'd/b': 'x',
        'd/new': '1',
        'm.json':
          '{"version": 1, "algorithm": "md5", "files": {"a": {"size": 3, "checksum": "900150983cd24fb0d6963f7d28e17f72"}, "b": {"size": 2, "checksum": "00"}}}',
      },
      args: { root: 'd', manifest_path: 'm.json' },
      value: { matched: ['a'], missing: [], modified: ['b'], extra: ['new'], errors: [], ok: false },
    },
  ],
  plan: prepare,
  async run(ctx, args) {
    const { files } = ctx;
    const shown = files.absolute(args.root);
    const { slice, grant, manifest } = await prepare(ctx, args);
    const except = await ownPath(files, grant, args.manifest_path);
    const unreadable = nothingLeftOut();
    const verified = await watched(ctx, grant, `verify ${shown}`, (signal) =>
      verifyManifest({
        grant,
        manifest,
        except,
        isWanted: slice === undefined ? () => true : (each) => isInSlice(each, slice),
        trustTimes: args.trust_times,
        explain: (relative) => explain(ctx, join(shown, relative)),
        unreadable,
        signal,
      }),
    );
    noteLeftOut(ctx, shown, unreadable, {
      kind: 'unreadable',
      what: 'could not be read; what is there and not in the manifest is not told',
    });
    const { missing, modified, errors } = verified;
    const value = { ...verified, ok: missing.length + modified.length + errors.length === 0 };
    if (!value.ok && args.on_mismatch === 'fail') throw differs(shown, value);
    return value;
  },
});
