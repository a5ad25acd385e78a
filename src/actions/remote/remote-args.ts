import { path, text } from '../../core/args.ts';
import { DirNotExistsException, FileNotExistsException } from '../../core/errors.ts';
import type { ConnectionType } from '../../core/ports/connections.ts';
import type { Comparison, TransferConflict } from '../../lib/transfer/transfer.ts';
import { compareArg, paceArgs, transferArgs } from './transfer-args.ts';

export const sourceFile = () => path('The file to upload.', { role: 'reads', wrong: FileNotExistsException });
export const sourceDir = () => path('The directory whose files are uploaded, with all below.', { role: 'readsTree' });
export const targetFile = () => path('Where the file goes; a directory keeps the name.', { role: 'writes' });

/** The connection, behind the arguments that the reference knows. */
export const connectionArg = (type: ConnectionType) => ({
  connection: text(
    `The name of a connection of [connections]; null: what FA_${initPrefix(type)}_later_init opened, or [connections.${type}].`,
    {
      default: null,
      minLength: 1,
    },
  ),
});

const initPrefix = (type: ConnectionType): string => (type === 'azure' ? 'azure_blob' : type);

const { include, exclude, ...oneFile } = transferArgs;
const { max_listed: _, ...pace } = paceArgs;

/** How one file is carried. */
export const fileArgs = { ...oneFile, compare: compareArg(), ...pace } as const;
/** How a tree is. */
export const treeArgs = { ...fileArgs, include, exclude } as const;

/** The same as actions get them. */
export interface CarryArgs {
  readonly on_conflict: TransferConflict;
  readonly verify: 'strongest' | 'none';
  readonly require_verified: boolean;
  readonly resume: boolean;
  readonly max_workers: number;
  readonly compare: Comparison;
  readonly bandwidth: number | null;
  readonly preserve: boolean;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly progress_name?: string | null;
}

/** The directory of an upload is not there. */
export const noDirectory = (shown: string): DirNotExistsException =>
  new DirNotExistsException(`No directory at ${shown}; check the path.`, { context: { argument: 'dir_path', path: shown } });

/** Its file is not. */
export const noFile = (shown: string): FileNotExistsException =>
  new FileNotExistsException(`No file is at ${shown}; check the path.`, { context: { argument: 'file_path', path: shown } });
