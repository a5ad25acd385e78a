/** Whose rules for separators and names apply. */
export type PathPlatform = 'posix' | 'win32';

/** The rule that refused a path before the file system was asked. */
export type LexicalReason =
  | 'not_text'
  | 'empty'
  | 'nul'
  | 'lone_surrogate'
  | 'leading_separator'
  | 'drive_letter'
  | 'parent_segment'
  | 'climbs_above_root'
  | 'parent_beside_backslash'
  | 'name_too_long'
  | 'path_too_long'
  | 'device_name'
  | 'trailing_dot_or_space'
  | 'forbidden_character';

/** A path read as words: where it starts, and its names without empty ones and single dots. */
export type LexicalVerdict =
  | { readonly kind: 'relative'; readonly segments: readonly string[] }
  | { readonly kind: 'absolute'; readonly anchor: string; readonly segments: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: LexicalReason };

interface LexicalOptions {
  readonly platform: PathPlatform;
  /** `refused`: no `..` at all; `counted`: a relative path may use `..` as long as it never stands above its start. */
  readonly parents: 'refused' | 'counted';
}

const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 4096;
const LONE_SURROGATE = /\p{Surrogate}/u;
const DRIVE = /^[A-Za-z]:/;
const DRIVE_AND_SEPARATOR = /^[A-Za-z]:[\\/]/;
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[1-9¹²³]) *(?:\.|$)/i;
const WINDOWS_FORBIDDEN = /[<>:"|?*\u0000-\u001f]/;

/** Judges a path by its text alone: nothing is decoded, folded or expanded. */
export function judgeText(path: unknown, { platform, parents }: LexicalOptions): LexicalVerdict {
  if (typeof path !== 'string') return refused('not_text');
  const anchor = anchorOf(path, platform);
  const segments = path
    .slice(anchor.length)
    .split(platform === 'win32' ? /[\\/]/ : '/')
    .filter((segment) => segment !== '' && segment !== '.');
  const reason =
    faultOfText(path) ??
    faultOfStart(path, platform) ??
    faultOfParents(segments, { parents, isRelative: anchor === '' }) ??
    faultOfLength(path, segments) ??
    (platform === 'win32' ? faultOfWindowsNames(segments) : undefined);
  if (reason !== undefined) return refused(reason);
  return anchor === '' ? { kind: 'relative', segments } : { kind: 'absolute', anchor, segments };
}

/** Whether a resolved path is the root itself or lies below it; compared with a separator, so `/base-evil` is not below `/base`. */
export function isAtOrBelow(root: string, path: string, separator: string): boolean {
  return path === root || path.startsWith(root.endsWith(separator) ? root : root + separator);
}

const refused = (reason: LexicalReason): LexicalVerdict => ({ kind: 'refused', reason });

function anchorOf(path: string, platform: PathPlatform): string {
  if (platform === 'posix') return path.startsWith('/') ? '/' : '';
  return DRIVE_AND_SEPARATOR.test(path) ? `${path.slice(0, 2)}\\` : '';
}

function faultOfText(path: string): LexicalReason | undefined {
  if (path === '') return 'empty';
  if (path.includes('\0')) return 'nul';
  return LONE_SURROGATE.test(path) ? 'lone_surrogate' : undefined;
}

function faultOfStart(path: string, platform: PathPlatform): LexicalReason | undefined {
  if (path.startsWith('\\')) return 'leading_separator';
  // On Windows this is a share or the current drive's root: even looking at a share tells its server who we are.
  if (platform === 'win32' && path.startsWith('/')) return 'leading_separator';
  const hasBareDrive = DRIVE.test(path) && !(platform === 'win32' && DRIVE_AND_SEPARATOR.test(path));
  return hasBareDrive ? 'drive_letter' : undefined;
}

function faultOfParents(
  segments: readonly string[],
  { parents, isRelative }: { parents: LexicalOptions['parents']; isRelative: boolean },
): LexicalReason | undefined {
  let depth = 0;
  for (const segment of segments) {
    // Only POSIX keeps backslashes inside a segment; somebody downstream may still split there.
    if (segment.split('\\').includes('..') && segment !== '..') return 'parent_beside_backslash';
    if (segment === '..' && parents === 'refused') return 'parent_segment';
    depth += segment === '..' ? -1 : 1;
    if (isRelative && depth < 0) return 'climbs_above_root';
  }
  return undefined;
}

function faultOfLength(path: string, segments: readonly string[]): LexicalReason | undefined {
  if (segments.some((segment) => Buffer.byteLength(segment) > MAX_NAME_BYTES)) return 'name_too_long';
  return Buffer.byteLength(path) > MAX_PATH_BYTES ? 'path_too_long' : undefined;
}

function faultOfWindowsNames(segments: readonly string[]): LexicalReason | undefined {
  for (const segment of segments) {
    if (segment === '..') continue;
    if (WINDOWS_DEVICE.test(segment)) return 'device_name';
    if (/[. ]$/.test(segment)) return 'trailing_dot_or_space';
    if (WINDOWS_FORBIDDEN.test(segment)) return 'forbidden_character';
  }
  return undefined;
}
