import { defineAction } from '../../../core/action.ts';
import { bytes, path } from '../../../core/args.ts';
import type { Context } from '../../../core/context.ts';
import type { Reader } from '../../../core/files.ts';
import { nothing } from '../../../core/shapes.ts';
import { demandDeclaredBytes } from '../../../lib/archive/judge/judge-entries.ts';
import { type OpenZip, openZip } from '../../../lib/archive/zip/open-zip.ts';
import { editFile } from '../../../lib/fs/edit-file.ts';
import { type LimitsGiven, lenientArg, limitArgs, limitsOf } from '../limit-args.ts';
import { foreseePack } from '../pack/foresee-pack.ts';
import { fillZip } from '../pack/write-zip.ts';
import { demandArchive } from '../source.ts';

interface SetPasswordArgs extends LimitsGiven {
  readonly zip_file_path: string;
  readonly password: Uint8Array;
  readonly lenient: boolean;
}

const LEVEL = 6;
const TYPE_BITS = { file: 0o100000, dir: 0o040000, symlink: 0o120000, hardlink: 0o100000, special: 0o100000 } as const;

/** Opens the archive with the same password, so that setting it once more does no harm. */
const openWhole = async (source: Reader, { password, lenient, ...args }: SetPasswordArgs, signal: AbortSignal): Promise<OpenZip> => {
  const limits = limitsOf(args);
  const bytes = { size: source.entry.size, readAt: source.readAt, stream: source.stream };
  const zip = await openZip(bytes, { limits, signal, lenient, password, whole: true });
  demandDeclaredBytes(zip.entries, limits);
  await zip.examine([...zip.entries.keys()]);
  return zip;
};

const plan = async (context: Context, args: SetPasswordArgs): Promise<void> => {
  const { files, signal } = context;
  await demandArchive(files, args.zip_file_path);
  await using source = await files.open(args.zip_file_path);
  await openWhole(source, args, signal);
  await foreseePack(context, { sources: [args.zip_file_path], target: args.zip_file_path });
};

const run = async (context: Context, args: SetPasswordArgs): Promise<null> => {
  const { files, signal, progress } = context;
  await demandArchive(files, args.zip_file_path);
  return editFile(context, args.zip_file_path, async (source, sink) => {
    const zip = await openWhole(source, args, signal);
    const shown = progress(
      `encrypt ${files.absolute(args.zip_file_path)}`,
      zip.entries.reduce((sum, { size }) => sum + size, 0),
    );
    await fillZip(sink, { password: args.password, level: LEVEL }, async (target) => {
      for (const [index, { name, kind, mtimeMs = 0, mode = kind === 'dir' ? 0o755 : 0o644 }] of zip.entries.entries()) {
        const member = { name, mtimeMs, mode: TYPE_BITS[kind] | mode };
        await zip.read([index], (_, content) =>
          target.addStream(member, 0, content, { level: LEVEL, signal, onInput: (chunk) => shown.advance(chunk.byteLength) }),
        );
      }
    });
    return { value: null, isChanged: true };
  });
};

export const setZipPassword = defineAction({
  name: 'FA_set_zip_password',
  summary: 'Encrypts every member of a zip archive with AES-256 under a password.',
  args: {
    zip_file_path: path('The archive, which is rewritten.', { role: ['reads', 'writes'] }),
    password: bytes('The password; members that have one already must have the same.', { role: 'secret' }),
    ...limitArgs,
    ...lenientArg,
  },
  returns: nothing(),
  idempotent: true,
  examples: [
    {
      files: {
        'o.zip': {
          base64:
            'UEsDBBQAAAAIAIMYIliGphA2BwAAAAUAAAAFAAAAYS50eHTLSM3JyQcAUEsBAhQDFAAAAAgAgxgiWIamEDYHAAAABQAAAAUAAAAAAAAAAAAAAKQBAAAAAGEudHh0UEsFBgAAAAABAAEAMwAAACoAAAAAAA==',
        },
      },
      args: { zip_file_path: 'o.zip', password: 'correct horse' },
      value: null,
    },
  ],
  plan,
  run,
});
