import type { OnUnreadable } from '../../core/on-unreadable.ts';

/** What FA_sync_dir is given. */
export interface SyncArgs {
  readonly src: string;
  readonly dst: string;
  readonly compare: 'size_mtime' | 'checksum';
  readonly delete: boolean;
  readonly dry_run: boolean;
  readonly tolerance_s: number | null;
  readonly max_delete: number;
  readonly max_delete_share: number;
  readonly trash: boolean;
  readonly exclude: readonly string[];
  readonly max_listed: number;
  readonly on_unreadable: OnUnreadable;
}
