import { sep } from 'node:path';
import { ArchiveException, PathTraversalException } from '../../../core/errors.ts';
import { judgeText, type LexicalReason, type PathPlatform } from '../../fs/lexical.ts';
import { shortName, shownName } from '../entry.ts';

/** Whose rules apply here. */
export const OWN_PLATFORM: PathPlatform = sep === '\\' ? 'win32' : 'posix';
const MAX_LEVELS = 64;

/** The names that lead from the target to an entry; none for the target itself. Refuses every name that could mean another place. */
export const judgeName = (name: string, platform: PathPlatform = OWN_PLATFORM): readonly string[] => {
  const verdict = judgeText(name, { platform, parents: 'refused' });
  if (verdict.kind === 'absolute') throw leaves(name, 'is absolute');
  if (verdict.kind === 'refused') throw refusal(name, verdict.reason);
  // Elsewhere it is a letter like any other, and what was packed there must come out again.
  if (platform === 'win32' && name.includes('\\')) throw unusable(name, 'has a backslash, which is a separator on this system');
  if (verdict.segments.length > MAX_LEVELS) throw unusable(name, `is more than ${MAX_LEVELS} levels deep`);
  return verdict.segments;
};

const LEAVING: Partial<Record<LexicalReason, string>> = {
  leading_separator: 'starts with a separator of Windows',
  drive_letter: 'starts with a drive letter',
  parent_segment: 'has a ".." segment',
  climbs_above_root: 'climbs above the target',
  parent_beside_backslash: 'has ".." beside a backslash',
};

const UNUSABLE: Partial<Record<LexicalReason, string>> = {
  empty: 'is empty',
  nul: 'holds a NUL character',
  lone_surrogate: 'holds half of a surrogate pair',
  name_too_long: 'has a part of more than 255 bytes',
  path_too_long: 'is longer than 4096 bytes',
  device_name: 'is the name of a Windows device',
  trailing_dot_or_space: 'ends with a dot or space, which Windows drops',
  forbidden_character: 'has a character that Windows does not allow',
};

const refusal = (name: string, reason: LexicalReason) => {
  const leaving = LEAVING[reason];
  return leaving === undefined ? unusable(name, UNUSABLE[reason] ?? 'cannot be used', reason) : leaves(name, leaving, reason);
};

const leaves = (name: string, why: string, reason = 'absolute') =>
  new PathTraversalException(
    `The archive entry ${shownName(name)} ${why} and could leave the target; nothing was extracted, do not trust this archive.`,
    {
      context: { entry: shortName(name), reason },
    },
  );

/** The refusal of a name that stays inside but cannot be written as it is. */
export const unusable = (name: string, why: string, reason = 'unusable_name') =>
  new ArchiveException(`The archive entry ${shownName(name)} ${why}; nothing was extracted, have the archive made with plain names.`, {
    context: { entry: shortName(name), reason },
  });
