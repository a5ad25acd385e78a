import { defineAction } from '../../core/action.ts';
import { flag, list, path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { ManifestException } from '../../core/errors.ts';
import { type OnUnreadable, onUnreadable } from '../../core/on-unreadable.ts';
import * as shapes from '../../core/shapes.ts';
import { watched } from '../../lib/fs/watched.ts';
import { findHash } from '../../lib/hash/hasher.ts';
import { makeManifest } from '../../lib/manifest/make-manifest.ts';
import { conclude } from '../../lib/partial/conclude.ts';
import { coverTree } from '../../lib/partial/cover-tree.ts';
import { failuresOf } from '../../lib/search/unreadable.ts';
import { demandPatterns } from '../../lib/text/demand-patterns.ts';
import { ownPath } from './own-path.ts';

/** Longer manifests, of some 30,000 files, are not given as a value too: reading them again would take longer than many a tree. */
const MAX_VALUE_BYTES = 4 * 1024 * 1024;

interface Wanted {
  readonly root: string;
  readonly manifest_path: string;
  readonly algorithm: string;
  readonly exclude: readonly string[];
  readonly times: boolean;
  readonly on_unreadable: OnUnreadable;
}

const UNREAD = { what: 'could not be read and taken into the manifest', as: ManifestException } as const;

/** Everything that can be wrong before a tree is read, in a dry run too. */
const prepare = async (ctx: Context, { root, manifest_path, algorithm, exclude, on_unreadable }: Wanted) => {
  const { files, signal } = ctx;
  findHash(algorithm);
  demandPatterns('exclude', ...exclude);
  const grant = await files.grant(root, 'read');
  await coverTree(ctx, { root, exclude, onUnreadable: on_unreadable, ...UNREAD });
  return { grant, writer: await files.create(manifest_path, { signal }) };
};

/** The text of a manifest as long as it is small enough to be a value. */
const createCopy = () => {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  return {
    add(text: Uint8Array) {
      bytes += text.byteLength;
      if (bytes > MAX_VALUE_BYTES) pieces.length = 0;
      else pieces.push(text);
    },
    /** Undefined where it has become too long. */
    text: () => (bytes > MAX_VALUE_BYTES ? undefined : Buffer.concat(pieces).toString()),
  };
};

export const writeTreeManifest = defineAction({
  name: 'FA_write_manifest',
  summary: 'Writes down the size and the digest of every file below a directory.',
  args: {
    root: path('The directory; links are not followed and not listed.', { role: 'readsTree' }),
    manifest_path: path('Where the manifest goes; inside the directory it leaves itself out.', { role: 'writes', mayBeMissing: true }),
    algorithm: text('The digest: any of OpenSSL, blake3, xxh3, xxh128 or crc32c.', { default: 'sha256' }),
    exclude: list('Patterns of what is left out, directories with everything in them.', shapes.text(), { default: [] }),
    times: flag('Write down when each file was changed too, so that a later check can go by it.', { default: false }),
    on_unreadable: onUnreadable(),
  },
  returns: shapes.object({
    version: shapes.integer(),
    algorithm: shapes.text(),
    root: shapes.text(),
    created_at: shapes.text(),
    files: shapes.record(shapes.object({ size: shapes.integer(), checksum: shapes.text() }, { mtime_ms: shapes.number() })),
  }),
  idempotent: true,
  examples: [{ files: { 'd/a': 'abc' }, args: { root: 'd', manifest_path: 'm.json' } }],
  async plan(ctx, args) {
    await using writer = (await prepare(ctx, args)).writer;
    await writer.commit();
  },
  async run(ctx, args) {
    const { files, clock } = ctx;
    const { root, manifest_path, algorithm, exclude, times } = args;
    const prepared = await prepare(ctx, args);
    await using writer = prepared.writer;
    const { grant } = prepared;
    const except = await ownPath(files, grant, manifest_path);
    const shown = files.absolute(root);
    const head = { version: 1, algorithm, root: shown, created_at: new Date(clock.now()).toISOString() } as const;
    const copy = createCopy();
    const made = await watched(ctx, grant, `manifest of ${shown}`, (signal) =>
      makeManifest({
        grant,
        head,
        query: { algorithm, exclude, except, withTimes: times },
        signal,
        write(text) {
          copy.add(text);
          return writer.write(text);
        },
      }),
    );
    const unreadable = failuresOf(shown, made.unreadable); // throws where nothing could be read: the old manifest stays
    await writer.commit();
    const text = copy.text();
    if (text === undefined)
      ctx.note({
        kind: 'truncated',
        message: `The ${made.files} files are too many to be told here; the manifest has them.`,
        files: made.files,
        bytes: made.bytes,
      });
    return conclude(ctx, {
      value: text === undefined ? { ...head, files: {} } : JSON.parse(text),
      unreadable,
      onUnreadable: args.on_unreadable,
      ...UNREAD,
    });
  },
});
