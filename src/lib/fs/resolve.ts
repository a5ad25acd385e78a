import { isUtf8 } from 'node:buffer';
import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, parse, sep } from 'node:path';
import { codeOf, systemFault } from './system-fault.ts';

/** Called with the real path after each segment, its links followed to their end; throws to refuse the step. */
export type JudgeStep = (step: string) => void;

/** Called with the place of each link before it is followed. */
export type MeetLink = (place: string) => void;

/** As many as Linux follows in one path. */
const MAX_LINKS = 40;

/** The real path of an absolute path, as the system would find it: links first, then `..`; missing parts are kept. */
export function resolvePath(absolutePath: string, meet?: MeetLink): string {
  return resolveSegments(parse(absolutePath).root, segmentsOf(absolutePath), undefined, meet);
}

/**
 * Walks the segments from `start`, which must be a real path.
 * Unlike realpath it goes on where something is missing and follows dangling links: a write would create what they name.
 * Throws the system's faults: ELOOP, EACCES, ENAMETOOLONG, and EILSEQ for a link whose target is not UTF-8.
 */
export function resolveSegments(
  start: string,
  segments: readonly string[],
  judge: JudgeStep = () => {},
  meet: MeetLink = () => {},
): string {
  let here = start;
  let links = 0;
  for (const segment of segments) {
    const pending = [segment]; // a stack: the parts of a link's target go before what is left
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (name === '' || name === '.') continue;
      if (name === '..') {
        here = dirname(here);
        continue;
      }
      const next = here.endsWith(sep) ? here + name : here + sep + name;
      const target = targetOfLink(next);
      if (target === undefined) {
        here = next;
        continue;
      }
      meet(next);
      links += 1;
      if (links > MAX_LINKS) throw systemFault('ELOOP', 'readlink', next);
      if (isAbsolute(target)) here = parse(target).root;
      pending.push(...segmentsOf(target).reverse());
    }
    judge(here);
  }
  return here;
}

function segmentsOf(path: string): string[] {
  return path.slice(parse(path).root.length).split(sep === '\\' ? /[\\/]/ : '/');
}

/** Undefined for what is no link, is not there, or lies below a file. */
function targetOfLink(path: string): string | undefined {
  if (!isLink(path)) return undefined;
  const target = readlinkSync(path, 'buffer');
  // Decoded with losses it would name something else than the system reaches.
  if (!isUtf8(target)) throw systemFault('EILSEQ', 'readlink', path);
  return target.toString();
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch (fault) {
    if (codeOf(fault) === 'ENOTDIR') return false;
    throw fault;
  }
}
