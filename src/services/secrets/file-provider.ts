import { open } from 'node:fs/promises';
import { translate } from '../../lib/fs/faults.ts';
import { safeJoin } from '../../lib/fs/safe-path.ts';
import type { Found, SecretProvider } from './provider.ts';

const MAX_BYTES = 64 * 1024;
const READABLE_BY_OTHERS = 0o004;

/** Secrets in files below a directory, one each: `${file:NAME}`. Nothing outside it is read, whatever links lead there. */
export const createFileProvider = (root: string | undefined): SecretProvider => ({
  kind: 'file',
  async find(name) {
    if (root === undefined) return { missing: 'no directory of secrets is configured; set [secrets] file_root' };
    try {
      return await readSecret(safeJoin(root, name), name);
    } catch (fault) {
      return { missing: translate(fault, { path: `${name} below ${root}` }).message.replace(/\.$/, '') };
    }
  },
});

const readSecret = async (path: string, name: string): Promise<Found> => {
  await using file = await open(path);
  const stats = await file.stat();
  if (!stats.isFile()) return { missing: `${name} is not a file; name one` };
  if (stats.size > MAX_BYTES) return { missing: `${name} is larger than ${MAX_BYTES} bytes; name a file that holds only the secret` };
  const value = decode(await file.readFile());
  if (value === undefined) return { missing: `${name} is not UTF-8; save it in that encoding` };
  if (value === '') return { missing: `${name} is empty; write the secret into it` };
  const isOpen = process.platform !== 'win32' && (stats.mode & READABLE_BY_OTHERS) !== 0;
  return isOpen ? { value, warning: `every user of this machine can read ${path}; run chmod o-r on it` } : { value };
};

/** The text without the line end that editors add. */
const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/[\r\n]+$/, '');
  } catch {
    return undefined;
  }
};
