import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreException } from '../../../core/errors.ts';
import { codeOf } from '../../../lib/fs/system-fault.ts';
import { demandPrivate } from './private-files.ts';

/** What keeps the secrets of lists that are still to run out of the bytes of the store. */
export interface Seal {
  /** The text as it is written; JSON never looks like that. */
  seal(text: string): string;
  /** The text as it was; what is not sealed comes back as it is, what cannot be opened as `null`. */
  open(text: string): string;
}

/** For stores that are nobody's own: whoever has the file must be able to read it. */
export const UNSEALED: Seal = { seal: (text) => text, open: (text) => (isSealed(text) ? 'null' : text) };

const PREFIX = 'sealed:1:';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const isSealed = (text: string): boolean => text.startsWith(PREFIX);

/**
 * A seal by the key of an instance, which lies beside the store, for its owner alone. It is made when something is first sealed: most
 * stores never hold a secret.
 */
export const sealBy = (keyFile: string): Seal => {
  let key: Buffer | undefined;
  const known = (): Buffer | undefined => {
    key ??= readKey(keyFile);
    return key;
  };
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, known() ?? makeKey(keyFile), nonce);
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${PREFIX}${sealed.toString('base64')}`;
    },
    open(text) {
      if (!isSealed(text)) return text;
      const secret = known();
      return secret === undefined ? 'null' : unsealed(secret, Buffer.from(text.slice(PREFIX.length), 'base64'));
    },
  };
};

/** The key of a store, beside its file. */
export const keyFileOf = (file: string): string => `${file}-key`;

const unsealed = (key: Buffer, sealed: Buffer): string => {
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return 'null'; // sealed by another key: the list cannot be run, and nothing else suffers from it
  }
};

const readKey = (file: string): Buffer | undefined => {
  try {
    const key = readFileSync(file);
    demandPrivate(file);
    if (key.length === KEY_BYTES) return key;
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return undefined;
    throw fault;
  }
  throw new StoreException(`${file} is no key of a store; restore a copy of it, or delete it and lose the lists that were sealed by it.`, {
    context: { path: file },
  });
};

/** Made whole under another name, so that nobody ever meets half a key; whoever is second takes that of the first. */
const makeKey = (file: string): Buffer => {
  const draft = `${file}-${randomBytes(8).toString('hex')}`;
  const fd = openSync(draft, 'wx', 0o600);
  try {
    writeSync(fd, randomBytes(KEY_BYTES));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  try {
    linkSync(draft, file);
  } catch (fault) {
    if (codeOf(fault) !== 'EEXIST') throw fault;
  } finally {
    rmSync(draft, { force: true });
  }
  syncDirectory(dirname(file));
  const key = readKey(file);
  if (key === undefined) throw new StoreException(`The key at ${file} vanished while it was made; try again.`, { context: { path: file } });
  return key;
};

const syncDirectory = (directory: string): void => {
  if (process.platform === 'win32') return; // directories cannot be opened there
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
};
