import type { Context } from '../../core/context.ts';
import * as shapes from '../../core/shapes.ts';

/** Something in a trash. */
export interface Trashed {
  readonly trash_id: string;
  readonly original: string;
  readonly trashed_at: string;
  /** Where it lies now. */
  readonly path: string;
  readonly is_dir: boolean;
}

export const trashedShape = shapes.object({
  trash_id: shapes.text(),
  original: shapes.text(),
  trashed_at: shapes.text(),
  path: shapes.text(),
  is_dir: shapes.flag(),
});

/** Whether an id can be that of an entry: part of one name, never a way elsewhere. */
export const isName = (id: string): boolean => /^[^/\\\0]{1,255}$/.test(id) && id !== '.' && id !== '..';

/** One layout of a trash: a folder of ours, or the desktop's. */
export interface Trash {
  send(ctx: Context, path: string, isDir: boolean): Promise<Trashed>;
  list(ctx: Context): Promise<Trashed[]>;
  /** One entry, looked up by itself: a trash can be long. */
  find(ctx: Context, id: string): Promise<Trashed | undefined>;
  /** Forgets what describes an entry, once the thing itself has left. */
  forget(ctx: Context, entry: Trashed): Promise<void>;
}
