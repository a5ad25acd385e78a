import { constants, linkSync, unlinkSync } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { codeOf } from './system-fault.ts';

/**
 * Gives a finished file its name, or fails with EEXIST when anything, even a dangling link, has that name. At once, where it can be: what
 * the journal was told of last must not come after what it is told of next.
 */
export async function renameIfFree(from: string, to: string): Promise<void> {
  try {
    linkSync(from, to);
  } catch (fault) {
    if (!WITHOUT_HARD_LINKS.has(codeOf(fault))) throw fault;
    await renameOverClaim(from, to);
    return;
  }
  try {
    unlinkSync(from);
  } catch (fault) {
    // Somebody else has moved it away, or it has to stay where it is: it must not end with two names.
    unlinkSync(to);
    throw fault;
  }
}

/** What file systems without hard links (FAT, some network ones) answer. */
const WITHOUT_HARD_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** The same without hard links: claims the name with an empty file, which can be seen until it is replaced. */
export async function renameOverClaim(from: string, to: string): Promise<void> {
  const claim = await open(to, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
  await claim.close();
  try {
    await rename(from, to);
  } catch (fault) {
    await unlink(to);
    throw fault;
  }
}
