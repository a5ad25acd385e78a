// Encryption of files with a key, and where keys come from. Digests are in checksum/.
// Read encrypt-file.ts first; the format is in lib/crypto/container.ts and docs/explanation/encrypted-files.md.
import { defineFamily } from '../../core/action.ts';
import { decryptFile } from './decrypt-file.ts';
import { encryptFile } from './encrypt-file.ts';
import { generateKey, keyFromPassword } from './keys.ts';

export const crypto = defineFamily({
  name: 'crypto',
  group: 'crypto',
  summary: 'Encryption: files, keys, passwords.',
  isApart: true,
  actions: [encryptFile, decryptFile, generateKey, keyFromPassword],
});
