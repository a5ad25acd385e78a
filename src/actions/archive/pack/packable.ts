import { join } from 'node:path';
import { ArchiveException, FileAutomationException } from '../../../core/errors.ts';
import type { Bypass } from '../../../core/files.ts';
import { judgeName } from '../../../lib/archive/judge/judge-name.ts';

interface Packing {
  readonly directory: string;
  /** What stands before every name in the archive. */
  readonly top?: string;
  readonly bypass: Pick<Bypass, 'unreadable'>;
}

/** The names that come out of an archive again; of the others the bypass is told, because what nobody can extract is no backup. */
export const packableNames = (names: readonly string[][], { directory, top, bypass }: Packing): string[][] => {
  const refused = new Set<string>();
  return names.filter((segments) => {
    if (segments.some((_, at) => refused.has(segments.slice(0, at).join('/')))) return false; // told with its directory
    const fault = whyNotPackable([...(top === undefined ? [] : [top]), ...segments].join('/'), join(directory, ...segments));
    if (fault === undefined) return true;
    refused.add(segments.join('/'));
    bypass.unreadable(join(directory, ...segments), fault);
    return false;
  });
};

/** Why a name would be refused when the archive is extracted; undefined where it would not. */
export const whyNotPackable = (name: string, path: string): FileAutomationException | undefined => {
  try {
    judgeName(name);
    return undefined;
  } catch (fault) {
    if (!(fault instanceof FileAutomationException)) throw fault;
    return new ArchiveException(`${path} has a name that no archive gives back: it could mean another place; rename it.`, {
      context: { path, reason: String(fault.context.reason ?? 'unusable_name') },
      cause: fault,
    });
  }
};
