import type { Context } from '../../core/context.ts';
import type { LostProperty, MoveOptions } from '../../core/files.ts';
import type { Note } from '../../core/result.ts';

type Mover = Pick<Context, 'files' | 'signal' | 'note' | 'log'>;

/** Moves something for a command, whose entry tells, as the log does, what beside the content another device did not take. */
export const moveEntry = (
  { files, signal, note, log }: Mover,
  { from, to }: FromTo,
  options: Omit<MoveOptions, 'signal' | 'onLost'> & Partial<Pick<MoveOptions, 'signal'>> = {},
): Promise<void> =>
  files.move(from, to, {
    signal,
    ...options,
    onLost(lost, unknown) {
      const told = lossNote({ from: files.absolute(from), to: files.absolute(to) }, lost, unknown);
      note(told);
      log('warn', told.message, { path: told.path, lost: told.lost });
    },
  });

/** Says what of something that was moved to another device did not come along. */
export const lossNote = ({ from, to }: FromTo, lost: readonly LostProperty[], unknown: string | undefined): Note => {
  const properties = lost.map(({ what, count, paths }) => ({ what, count, paths }));
  return { kind: 'attributes_lost', message: lostSentence({ from, to }, lost, unknown), path: to, lost: properties };
};

interface FromTo {
  readonly from: string;
  readonly to: string;
}

const WORDS: Record<LostProperty['what'], string> = {
  owner: 'owner or group',
  mode: 'mode',
  time: 'exact time',
  hard_link: 'hard link',
  attribute: 'extended attributes',
  access_list: 'access list',
};

/** Says what files that take the place of others did not keep of them. */
export const unkeptNote = (path: string, lost: readonly LostProperty[]): Note => {
  const properties = lost.map(({ what, count, paths }) => ({ what, count, paths }));
  const message = `Not kept, because the file system or the rights of this user do not allow it: ${lostWords(lost).join('; ')}.`;
  return { kind: 'attributes_lost', message, path, lost: properties };
};

/** What was lost of what, to be read. */
const lostWords = (lost: readonly LostProperty[]): readonly string[] =>
  lost.map(({ what, count, paths }) => `${WORDS[what]} of ${paths[0]}${count > 1 ? ` and ${count - 1} more` : ''}`);

const lostSentence = ({ from, to }: FromTo, lost: readonly LostProperty[], unknown: string | undefined): string => {
  const doubt = unknown === undefined ? [] : [`extended attributes and access lists, if there were any (${unknown})`];
  return `Moved from ${from} to another device, ${to} did not keep everything; lost: ${[...lostWords(lost), ...doubt].join('; ')}.`;
};
