import type { OnConflict } from '../../../core/conflict.ts';
import type { Context } from '../../../core/context.ts';
import type { LinkRule } from '../../../lib/archive/judge/judge-entries.ts';
import { extract, foreseeExtract } from '../extract/extract.ts';
import { type LimitsGiven, limitsOf } from '../limit-args.ts';
import { placesOf, withZipFile } from './open-zip-file.ts';

/** What both unzipping actions are asked for. */
export interface UnzipArgs extends LimitsGiven {
  readonly zip_file_path: string;
  readonly extract_path: string | null;
  readonly password: Uint8Array | null;
  readonly on_conflict: OnConflict;
  readonly links: LinkRule;
  readonly lenient: boolean;
}

/** Extracts members by name, or all of them; without a path into the working directory. */
const unzipBy =
  (work: typeof extract) =>
  async (context: Context, members: readonly string[] | null, args: UnzipArgs): Promise<null> => {
    const limits = limitsOf(args);
    await withZipFile(context, args.zip_file_path, { limits, lenient: args.lenient, password: args.password }, async (archive) => {
      const wanted = members === null ? [...archive.entries.keys()] : placesOf(archive, members);
      await work(context, { archive, wanted, target: args.extract_path ?? '.', limits, links: args.links, onConflict: args.on_conflict });
    });
    return null;
  };

export const unzip = unzipBy(extract);
export const foreseeUnzip = unzipBy(foreseeExtract);
