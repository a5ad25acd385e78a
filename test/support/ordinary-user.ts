import { chownSync, lchownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const NOBODY = 65_534;

/** Does something as a user whom modes mean something to: the superuser gives a directory away and becomes nobody for as long as it takes. */
export const asOrdinaryUser = async <T>(directory: string, work: () => Promise<T>): Promise<T> => {
  const { getuid, seteuid } = process;
  if (getuid?.() !== 0 || seteuid === undefined) return work();
  chownSync(directory, NOBODY, NOBODY);
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) lchownSync(join(directory, name), NOBODY, NOBODY);
  seteuid(NOBODY);
  try {
    return await work();
  } finally {
    seteuid(0);
  }
};
