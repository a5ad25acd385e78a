import type { Context } from '../../core/context.ts';
import type { LostProperty, MoveOptions } from '../../core/files.ts';

type Mover = Pick<Context, 'files' | 'signal' | 'note' | 'log'>;

/** Moves something for a command, whose entry tells, as the log does, what beside the content another device did not take. */
export const moveEntry = (
  { files, signal, note, log }: Mover,
  { from, to }: { readonly from: string; readonly to: string },
  options: Omit<MoveOptions, 'signal' | 'onLost'> & Partial<Pick<MoveOptions, 'signal'>> = {},
): Promise<void> =>
  files.move(from, to, {
    signal,
    ...options,
    onLost(lost, unknown) {
      const [source, path] = [files.absolute(from), files.absolute(to)];
      const message = lostSentence({ source, path }, lost, unknown);
      const properties = lost.map(({ what, count, paths }) => ({ what, count, paths }));
      note({ kind: 'attributes_lost', message, path, lost: properties });
      log('warn', message, { path, source, lost: properties });
    },
  });

const WORDS: Record<LostProperty['what'], string> = {
  owner: 'owner or group',
  mode: 'mode',
  time: 'exact time',
  hard_link: 'hard link',
  attribute: 'extended attributes',
  access_list: 'access list',
};

const lostSentence = (
  { source, path }: { readonly source: string; readonly path: string },
  lost: readonly LostProperty[],
  unknown: string | undefined,
): string => {
  const named = lost.map(({ what, count, paths }) => `${WORDS[what]} of ${paths[0]}${count > 1 ? ` and ${count - 1} more` : ''}`);
  const doubt = unknown === undefined ? [] : [`extended attributes and access lists, if there were any (${unknown})`];
  return `Moved from ${source} to another device, ${path} did not keep everything; lost: ${[...named, ...doubt].join('; ')}.`;
};
