import { type Action, defineAction } from '../../core/action.ts';
import { type Args, type Bound, flag, type LocationRole, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import type { ConnectionType } from '../../core/ports/connections.ts';
import * as shapes from '../../core/shapes.ts';
import { downloadFile, uploadDir, uploadFile } from './carry.ts';
import { removeFile } from './change.ts';
import { listBelow } from './look.ts';
import { type CarryArgs, connectionArg, fileArgs, sourceDir, sourceFile, targetFile, treeArgs } from './remote-args.ts';
import { remoteLocation } from './remote-location.ts';
import { progressName } from './transfer-args.ts';

/** A kind of storage that keeps objects under keys in buckets, in the words of its users. */
export interface ObjectBackend {
  readonly type: Extract<ConnectionType, 's3' | 'azure'>;
  /** What names begin with: `FA_s3`. */
  readonly prefix: string;
  readonly service: string;
  /** `object`, `blob`. */
  readonly object: string;
  /** How the arguments are called. */
  readonly keys: { readonly bucket: string; readonly key: string; readonly uploadPrefix: string; readonly listPrefix: string };
  readonly verbs: { readonly remove: string; readonly list: string };
  /** Whether progress has a name before the arguments that only we know, and whether replacing can be refused there. */
  readonly has: 'progress_name' | 'overwrite';
}

/** The actions that both have. Their arguments bear other names, so that values are looked up by these; binding has checked them. */
export const objectVerbs = (backend: ObjectBackend): readonly Action[] => {
  const { type, prefix, service, object, keys, verbs, has } = backend;
  const { connection } = connectionArg(type);
  const bucketArg = () => text(`The ${keys.bucket}.`, { minLength: 1 });
  const keyArg = (description: string) => text(description, { minLength: 1 });
  const overwriteArg = { overwrite: flag('Replace what is there; otherwise that is refused.', { default: true }) };
  const progressArg = { progress_name: progressName() };
  const first = has === 'overwrite' ? overwriteArg : progressArg;
  const last = has === 'overwrite' ? progressArg : {};

  const at = (args: Bound<Args>, key: unknown): string => {
    const name = args.connection === null ? null : String(args.connection);
    return remoteLocation(type, name, [String(args[keys.bucket]), String(key)].filter((part) => part !== '').join('/'));
  };
  const objectAt = (args: Bound<Args>): string => at(args, args[keys.key]);
  const location = (role: LocationRole) => ({ role, from: [keys.bucket, keys.key, 'connection'], of: objectAt });
  /** A prefix of objects that are to come is a directory, one of those that are there may end anywhere. */
  const belowUpload = (args: Bound<Args>): string => at(args, trimmed(String(args[keys.uploadPrefix])));
  const belowList = (args: Bound<Args>): string => at(args, directoryOf(String(args[keys.listPrefix])));
  const withoutBucket = (args: Bound<Args>, path: string): string => path.slice(String(args[keys.bucket]).length + 1);

  const upload = (ctx: Context, args: Bound<Args>) => uploadFile(ctx, String(args.file_path), objectAt(args), carrying(args));
  const uploadAll = async (ctx: Context, args: Bound<Args>) =>
    (await uploadDir(ctx, String(args.dir_path), belowUpload(args), carrying(args))).map((path) => withoutBucket(args, path));
  const download = (ctx: Context, args: Bound<Args>) => downloadFile(ctx, objectAt(args), String(args.target_path), carrying(args));
  const remove = (ctx: Context, args: Bound<Args>) => removeFile(ctx, objectAt(args));
  const placed = (key: string) => ({ [keys.bucket]: 'photos', [keys.key]: key, connection: 'backup' });

  return [
    defineAction({
      name: `${prefix}_upload_file`,
      summary: `Uploads one file to ${service}.`,
      args: {
        file_path: sourceFile(),
        [keys.bucket]: bucketArg(),
        [keys.key]: keyArg('What it is called there.'),
        ...first,
        connection,
        ...fileArgs,
        ...last,
      } as Args,
      returns: shapes.flag(),
      idempotent: true,
      location: location('writesLocation'),
      examples: [{ files: { 'a.jpg': 'x' }, args: { file_path: 'a.jpg', ...placed('2026/a.jpg') } }],
      plan: upload,
      run: upload,
    }),
    defineAction({
      name: `${prefix}_upload_dir`,
      summary: `Uploads all files below a directory to ${service} and gives what they are called there.`,
      args: {
        dir_path: sourceDir(),
        [keys.bucket]: bucketArg(),
        [keys.uploadPrefix]: text('What the names begin with; a slash is put between.', { default: '' }),
        connection,
        ...treeArgs,
        ...progressArg,
      } as Args,
      returns: shapes.list(shapes.text()),
      idempotent: true,
      location: { role: 'writesLocation', from: [keys.bucket, keys.uploadPrefix, 'connection'], of: belowUpload },
      examples: [
        {
          files: { 'in/a.jpg': 'x' },
          args: { dir_path: 'in', [keys.bucket]: 'photos', [keys.uploadPrefix]: '2026', connection: 'backup' },
        },
      ],
      plan: uploadAll,
      run: uploadAll,
    }),
    defineAction({
      name: `${prefix}_download_file`,
      summary: `Downloads one ${object} of ${service}.`,
      args: {
        [keys.bucket]: bucketArg(),
        [keys.key]: keyArg(`The ${object}.`),
        target_path: targetFile(),
        ...(has === 'progress_name' && progressArg),
        connection,
        ...fileArgs,
        ...last,
      } as Args,
      returns: shapes.flag(),
      idempotent: true,
      location: location('readsLocation'),
      examples: [{ args: { ...placed('2026/a.jpg'), target_path: 'a.jpg' } }],
      plan: download,
      run: download,
    }),
    defineAction({
      name: `${prefix}_${verbs.remove}`,
      summary: `Deletes one ${object} of ${service}.`,
      args: { [keys.bucket]: bucketArg(), [keys.key]: keyArg(`The ${object}.`), connection } as Args,
      returns: shapes.flag(),
      location: location('removesLocation'),
      examples: [{ args: placed('2026/a.jpg') }],
      plan: remove,
      run: remove,
    }),
    defineAction({
      name: `${prefix}_${verbs.list}`,
      summary: `Lists the names of what is in a ${keys.bucket} of ${service}, all of them.`,
      args: {
        [keys.bucket]: bucketArg(),
        [keys.listPrefix]: text('Only names that begin so.', { default: '' }),
        connection,
      } as Args,
      returns: shapes.list(shapes.text()),
      idempotent: true,
      onlyLooks: true,
      location: { role: 'readsLocation', from: [keys.bucket, keys.listPrefix, 'connection'], of: belowList },
      examples: [{ args: { [keys.bucket]: 'photos', [keys.listPrefix]: '2026/', connection: 'backup' } }],
      async run(ctx, args) {
        const wanted = `${String(args[keys.bucket])}/${String(args[keys.listPrefix])}`;
        return (await listBelow(ctx, belowList(args), wanted)).map(({ path }) => withoutBucket(args, path));
      },
    }),
  ];
};

/** What a caller said of the transfer; `overwrite` is an older word for a conflict. */
const carrying = (args: Bound<Args>): CarryArgs => {
  const given = args as unknown as CarryArgs; // the arguments of every transfer are among them
  return args.overwrite === false && given.on_conflict === 'overwrite' ? { ...given, on_conflict: 'error' } : given;
};

const trimmed = (prefix: string): string => prefix.replace(/\/+$/, '');

const directoryOf = (prefix: string): string => prefix.slice(0, Math.max(0, prefix.lastIndexOf('/')));
