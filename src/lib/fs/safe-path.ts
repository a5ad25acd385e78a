import { realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { DirNotExistsException, PathTraversalException } from '../../core/errors.ts';
import { translate } from './faults.ts';
import { isAtOrBelow, judgeText, type LexicalReason, type LexicalVerdict, type PathPlatform } from './lexical.ts';
import { resolveSegments } from './resolve.ts';
import { codeOf } from './system-fault.ts';

type Reason = LexicalReason | 'outside' | 'too_many_links' | 'unreadable';
type Permitted = Exclude<LexicalVerdict, { kind: 'refused' }>;

const PLATFORM: PathPlatform = sep === '\\' ? 'win32' : 'posix';

/** The real path of `userPath` at or below `root`; refuses every path with a `..` segment and everything that leaves the root. */
export function safeJoin(root: string, userPath: unknown): string {
  return locate(root, userPath, 'refused');
}

/** Whether `userPath` ends at or below `root`; a `..` that never climbs above the root is fine. Never throws. */
export function isWithin(root: string, userPath: unknown): boolean {
  try {
    locate(root, userPath, 'counted');
    return true;
  } catch {
    return false; // what cannot be judged is not inside
  }
}

function locate(root: string, userPath: unknown, parents: 'refused' | 'counted'): string {
  const words = judgeText(userPath, { platform: PLATFORM, parents });
  if (words.kind === 'refused') throw refusal(words.reason, { root, userPath });
  const realRoot = realRootOf(root);
  try {
    return resolveBelow(realRoot, words, () => refusal('outside', { root, userPath }));
  } catch (fault) {
    if (codeOf(fault) === undefined) throw fault;
    throw refusal(codeOf(fault) === 'ELOOP' ? 'too_many_links' : 'unreadable', { root, userPath, cause: fault });
  }
}

function resolveBelow(realRoot: string, words: Permitted, outside: () => PathTraversalException): string {
  const judge = (step: string): void => {
    if (!isAtOrBelow(realRoot, step, sep)) throw outside();
  };
  if (words.kind === 'relative') return resolveSegments(realRoot, words.segments, judge);
  const end = resolveSegments(words.anchor, words.segments);
  judge(end);
  return end;
}

function realRootOf(root: string): string {
  try {
    const realRoot = realpathSync.native(root);
    if (statSync(realRoot).isDirectory()) return realRoot;
  } catch (fault) {
    if (codeOf(fault) !== 'ENOTDIR') throw translate(fault, { path: root, missing: 'directory' });
  }
  throw new DirNotExistsException(`The root ${root} is not a directory; choose a directory.`, { context: { path: root } });
}

function refusal(reason: Reason, { root, userPath, cause }: { root: string; userPath: unknown; cause?: unknown }): PathTraversalException {
  const path = shown(userPath);
  return new PathTraversalException(`The path ${JSON.stringify(path)} ${SENTENCES[reason]}.`, { context: { root, path, reason }, cause });
}

/** What was given, short and well-formed enough for messages and JSON. */
function shown(userPath: unknown): string {
  if (typeof userPath !== 'string') return userPath === null ? 'null' : typeof userPath;
  const text = userPath.length > 300 ? `${userPath.slice(0, 300)}…` : userPath;
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

const SENTENCES: Readonly<Record<Reason, string>> = {
  not_text: 'is not text; give it as a string',
  empty: 'is empty; write "." for the root itself',
  nul: 'holds a NUL character; remove it',
  lone_surrogate: 'holds half of a surrogate pair, which no file name can; send well-formed Unicode',
  leading_separator: 'starts with a separator of Windows; write it relative to the root',
  drive_letter: 'starts with a drive letter; write it relative to the root',
  parent_segment: 'has a ".." segment; write it without',
  climbs_above_root: 'climbs above the root on its way; write it without ".."',
  parent_beside_backslash: 'has ".." beside a backslash; write it with forward slashes and without ".."',
  name_too_long: 'has a name of more than 255 bytes; shorten it',
  path_too_long: 'is longer than 4096 bytes; shorten it',
  device_name: 'has the name of a Windows device; rename it',
  trailing_dot_or_space: 'has a name that ends with a dot or space, which Windows drops; rename it',
  forbidden_character: 'has a character that Windows does not allow in names; rename it',
  outside: 'leads outside the root; choose a path below the root and look at the links on its way',
  too_many_links: 'goes through too many links; look for links that lead back to themselves',
  unreadable: 'cannot be followed to its end; check the permissions and links on its way',
};
