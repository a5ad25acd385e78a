import { ArchiveException, PathTraversalException } from '../../../core/errors.ts';
import type { PathPlatform } from '../../fs/lexical.ts';
import { shortName, shownName } from '../entry.ts';
import { OWN_PLATFORM } from './judge-name.ts';

const MAX_TARGET_BYTES = 4096;

/**
 * Where a symbolic link inside the target leads, as names from the target. `..` may only stand at its start and not climb above the
 * target: then a link leads inside whatever other links its path meets, because each of them was judged the same way.
 */
export const judgeLinkTarget = (
  name: string,
  segments: readonly string[],
  target: string,
  platform: PathPlatform = OWN_PLATFORM,
): readonly string[] => {
  if (target === '' || target.includes('\0')) throw unusableTarget(name, 'has no target that a link can have');
  if (Buffer.byteLength(target) > MAX_TARGET_BYTES) throw unusableTarget(name, `has a target longer than ${MAX_TARGET_BYTES} bytes`);
  if (/^(?:[\\/]|[A-Za-z]:)/.test(target)) throw leadsOut(name, target);
  // Somebody downstream may split there.
  if (target.split('/').some((step) => step !== '..' && step.split('\\').includes('..'))) throw leadsOut(name, target);
  if (platform === 'win32' && target.includes('\\')) throw unusableTarget(name, 'has a backslash in its target');
  const place = segments.slice(0, -1);
  const steps = target.split('/').filter((step) => step !== '' && step !== '.');
  const climbs = steps.findIndex((step) => step !== '..');
  const ups = climbs < 0 ? steps.length : climbs;
  const downs = steps.slice(ups);
  if (ups > place.length || downs.includes('..')) throw leadsOut(name, target);
  return [...place.slice(0, place.length - ups), ...downs];
};

/** Refuses links that only lead to each other; each is followed once, however long their chains are. */
export const demandNoCircle = (links: ReadonlyMap<string, string>): void => {
  const followedFrom = new Map<string, string>();
  for (const start of links.keys()) {
    for (let at: string | undefined = start; at !== undefined && links.has(at); at = links.get(at)) {
      const earlier = followedFrom.get(at);
      if (earlier === start) throw unusableTarget(at, 'leads back to itself');
      if (earlier !== undefined) break;
      followedFrom.set(at, start);
    }
  }
};

const leadsOut = (name: string, target: string) =>
  new PathTraversalException(
    `The archive entry ${shownName(name)} is a link to ${shownName(target)}, which could leave the target; nothing was extracted, do not trust this archive.`,
    {
      context: { entry: shortName(name), target: shortName(target), reason: 'link_leaves' },
    },
  );

/** The refusal of a link that stays inside but cannot be made. */
export const unusableTarget = (name: string, why: string, reason = 'unusable_link') =>
  new ArchiveException(
    `The archive entry ${shownName(name)} is a link that ${why}; nothing was extracted, have the archive made without it.`,
    {
      context: { entry: shortName(name), reason },
    },
  );
