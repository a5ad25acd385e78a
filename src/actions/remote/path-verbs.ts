import { type Action, defineAction } from '../../core/action.ts';
import { type Arg, type LocationRole, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import type { ConnectionType } from '../../core/ports/connections.ts';
import type { Shape } from '../../core/shapes.ts';
import * as shapes from '../../core/shapes.ts';
import type { StoredItem } from '../../core/storage.ts';
import { downloadFile, uploadDir, uploadFile } from './carry.ts';
import { existsAt, listDirectory } from './look.ts';
import { connectionArg, fileArgs, sourceDir, sourceFile, targetFile, treeArgs } from './remote-args.ts';
import { plainPath, remoteLocation } from './remote-location.ts';
import { progressName } from './transfer-args.ts';

/** A kind of storage whose files are named by one path, and what its actions say differently from those of the others. */
export interface PathBackend<T> {
  /** Also what names begin with: `FA_sftp_…`. */
  readonly type: Extract<ConnectionType, 'sftp' | 'ftp' | 'webdav' | 'smb'>;
  /** Where it is, for summaries: `an SFTP server`. */
  readonly server: string;
  /** Where uploads of directories go by default; required where left out. */
  readonly defaultPrefix?: string;
  /** What is listed by default. */
  readonly defaultDir: string;
  /** What of an entry a list tells. */
  readonly entry: Shape<T>;
  told(item: StoredItem): T;
}

interface Placed {
  readonly remote_path: string;
  readonly connection: string | null;
}

/** The actions that all of them have. */
export const pathVerbs = <T>(backend: PathBackend<T>): readonly Action[] => {
  const { type, server, defaultPrefix, defaultDir, entry, told } = backend;
  const verbs = pathVerb(backend);
  const { connection } = connectionArg(type);
  const prefix: Arg<string> = text(
    'The directory that the files go below.',
    defaultPrefix === undefined ? { minLength: 1 } : { default: defaultPrefix },
  );
  const belowPrefix = ({ remote_prefix, connection: name }: { readonly remote_prefix: string; readonly connection: string | null }) =>
    remoteLocation(type, name, plainPath(type, remote_prefix));
  const upload = (ctx: Context, args: Parameters<typeof verbs.at>[0] & { readonly file_path: string } & Parameters<typeof uploadFile>[3]) =>
    uploadFile(ctx, args.file_path, verbs.at(args), args);
  const download = (ctx: Context, args: Placed & { readonly target_path: string } & Parameters<typeof downloadFile>[3]) =>
    downloadFile(ctx, verbs.at(args), args.target_path, args);
  const uploadAll = (
    ctx: Context,
    args: Parameters<typeof belowPrefix>[0] & { readonly dir_path: string } & Parameters<typeof uploadDir>[3],
  ) => uploadDir(ctx, args.dir_path, belowPrefix(args), args);

  return [
    defineAction({
      name: `FA_${type}_upload_file`,
      summary: `Uploads one file to ${server}, making the directories that are missing.`,
      args: { file_path: sourceFile(), remote_path: remotePath('Where it goes.'), connection, ...fileArgs, progress_name: progressName() },
      returns: shapes.flag(),
      idempotent: true,
      location: verbs.location('writesLocation'),
      examples: [{ files: { 'a.txt': 'hello' }, args: { file_path: 'a.txt', remote_path: 'in/a.txt', connection: 'nas' } }],
      plan: upload,
      run: upload,
    }),
    defineAction({
      name: `FA_${type}_upload_dir`,
      summary: `Uploads all files below a directory to ${server} and gives their paths there.`,
      args: { dir_path: sourceDir(), remote_prefix: prefix, connection, ...treeArgs, progress_name: progressName() },
      returns: shapes.list(shapes.text()),
      idempotent: true,
      location: { role: 'writesLocation', from: ['remote_prefix', 'connection'], of: belowPrefix },
      examples: [{ files: { 'out/a.txt': '1' }, args: { dir_path: 'out', remote_prefix: 'backup', connection: 'nas' } }],
      plan: uploadAll,
      run: uploadAll,
    }),
    defineAction({
      name: `FA_${type}_download_file`,
      summary: `Downloads one file from ${server}.`,
      args: { remote_path: remotePath('The file.'), target_path: targetFile(), connection, ...fileArgs, progress_name: progressName() },
      returns: shapes.flag(),
      idempotent: true,
      location: verbs.location('readsLocation'),
      examples: [{ args: { remote_path: 'in/a.txt', target_path: 'a.txt', connection: 'nas' } }],
      plan: download,
      run: download,
    }),
    defineAction({
      name: `FA_${type}_list_dir`,
      summary: `Lists a directory of ${server}.`,
      args: { remote_path: text('The directory.', { default: defaultDir }), connection },
      returns: shapes.list(entry),
      idempotent: true,
      onlyLooks: true,
      location: verbs.location('readsLocation'),
      examples: [{ args: { remote_path: 'in', connection: 'nas' } }],
      run: async (ctx, args) => (await listDirectory(ctx, verbs.at(args))).map(told),
    }),
  ];
};

const remotePath = (description: string) => text(description, { minLength: 1 });

/** Makes further actions of one path. */
export const pathVerb = ({ type }: Pick<PathBackend<unknown>, 'type'>) => {
  const at = ({ remote_path, connection }: Placed): string => remoteLocation(type, connection, plainPath(type, remote_path));
  const location = (role: LocationRole) => ({ role, from: ['remote_path', 'connection'] as const, of: at });
  const args = { remote_path: remotePath('The path.'), ...connectionArg(type) };
  return {
    at,
    location,
    /** One that changes what is at the path, in a dry run as in a real one. */
    changing: (verb: string, summary: string, role: LocationRole, change: (ctx: Context, location: string) => Promise<true>) =>
      defineAction({
        name: `FA_${type}_${verb}`,
        summary,
        args,
        returns: shapes.flag(),
        location: location(role),
        examples: [{ args: { remote_path: 'in/old', connection: 'nas' } }],
        plan: (ctx, given) => change(ctx, at(given)),
        run: (ctx, given) => change(ctx, at(given)),
      }),
    /** Tells whether anything is there. */
    exists: (summary: string) =>
      defineAction({
        name: `FA_${type}_exists`,
        summary,
        args,
        returns: shapes.flag(),
        question: { no: 'nothing is there', isNo: (value) => !value },
        idempotent: true,
        onlyLooks: true,
        location: location('readsLocation'),
        examples: [{ args: { remote_path: 'in/a.txt', connection: 'nas' } }],
        run: (ctx, given) => existsAt(ctx, at(given)),
      }),
  };
};
