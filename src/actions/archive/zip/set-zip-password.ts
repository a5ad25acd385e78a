import { defineAction } from '../../../core/action.ts';
import { bytes, path } from '../../../core/args.ts';
import type { Context } from '../../../core/context.ts';
import { nothing } from '../../../core/shapes.ts';
import { demandDeclaredBytes } from '../../../lib/archive/judge/judge-entries.ts';
import type { OpenZip } from '../../../lib/archive/zip/open-zip.ts';
import { type LimitsGiven, limitArgs, limitsOf } from '../limit-args.ts';
import { foreseePack } from '../pack/foresee-pack.ts';
import { writeZip } from '../pack/write-zip.ts';
import { withZipFile } from './open-zip-file.ts';

interface SetPasswordArgs extends LimitsGiven {
  readonly zip_file_path: string;
  readonly password: Uint8Array;
}

const LEVEL = 6;
const TYPE_BITS = { file: 0o100000, dir: 0o040000, symlink: 0o120000, hardlink: 0o100000, special: 0o100000 } as const;

/** Opens the archive with the same password, so that setting it once more does no harm. */
const withArchive = async <T>(
  context: Context,
  { zip_file_path, password, ...limits }: SetPasswordArgs,
  work: (zip: OpenZip) => Promise<T>,
): Promise<T> =>
  withZipFile(context, zip_file_path, { limits: limitsOf(limits), password }, async (zip) => {
    demandDeclaredBytes(zip.entries, limitsOf(limits));
    await zip.examine([...zip.entries.keys()]);
    return work(zip);
  });

const run = async (context: Context, args: SetPasswordArgs): Promise<null> => {
  const { files, signal, progress } = context;
  await withArchive(context, args, async (zip) => {
    const shown = progress(
      `encrypt ${files.absolute(args.zip_file_path)}`,
      zip.entries.reduce((sum, { size }) => sum + size, 0),
    );
    await writeZip(context, args.zip_file_path, { password: args.password, level: LEVEL }, async (target) => {
      for (const [index, { name, kind, mtimeMs = 0, mode = kind === 'dir' ? 0o755 : 0o644 }] of zip.entries.entries()) {
        const member = { name, mtimeMs, mode: TYPE_BITS[kind] | mode };
        await zip.read([index], (_, content) =>
          target.addStream(member, 0, content, { level: LEVEL, signal, onInput: (chunk) => shown.advance(chunk.byteLength) }),
        );
      }
    });
  });
  return null;
};

export const setZipPassword = defineAction({
  name: 'FA_set_zip_password',
  summary: 'Encrypts every member of a zip archive with AES-256 under a password.',
  args: {
    zip_file_path: path('The archive, which is rewritten.', { role: ['reads', 'writes'] }),
    password: bytes('The password; members that have one already must have the same.', { role: 'secret' }),
    ...limitArgs,
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
  plan: (context, args) =>
    withArchive(context, args, () => foreseePack(context, { sources: [args.zip_file_path], target: args.zip_file_path })),
  run,
});
