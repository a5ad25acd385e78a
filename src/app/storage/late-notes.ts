import { join } from 'node:path';
import type { TransferNotes } from '../../core/ports/transfers.ts';
import { homeDirectory } from '../../lib/fs/home-directory.ts';
import { stateDirectory } from '../../lib/fs/state-directory.ts';

export interface LateNotesOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
}

/** The notes of transfers beside the other state of this user; their code is loaded when a transfer first needs one. */
export const createLateNotes = ({ env, now }: LateNotesOptions): TransferNotes => {
  let opening: Promise<TransferNotes> | undefined;
  const open = async (): Promise<TransferNotes> => {
    const { createTransferNotes } = await import('../../services/transfers/notes.ts');
    return createTransferNotes({ directory: join(stateDirectory(env, homeDirectory()), 'transfers'), now });
  };
  return {
    async hold(key, signal, work) {
      opening ??= open();
      return (await opening).hold(key, signal, work);
    },
  };
};
