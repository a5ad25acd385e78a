import { defineAction } from '../../core/action.ts';
import { path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import * as shapes from '../../core/shapes.ts';
import { decrypt } from '../../lib/crypto/decrypt.ts';
import { transformFile } from '../../lib/fs/edit-file.ts';
import { demandKey, keyArgument } from './key-argument.ts';
import { inOurWords } from './open-source.ts';

interface DecryptFileArgs {
  readonly source: string;
  readonly target: string;
  readonly key: Uint8Array;
}

const decryptInto = async (context: Context, { source, target, key }: DecryptFileArgs) => {
  demandKey(key);
  return inOurWords(context.files, source, () =>
    transformFile(context, { from: source, to: target }, async (sealed, opened) => {
      const { size, name } = sealed.entry;
      const shown = context.progress(`decrypt ${name}`, size);
      const plaintext_bytes = await decrypt(sealed, opened, { key, onBytes: shown.advance });
      return { value: { ciphertext_bytes: size, plaintext_bytes }, isChanged: true };
    }),
  );
};

export const decryptFile = defineAction({
  name: 'FA_decrypt_file',
  summary: 'Decrypts a file that FA_encrypt_file or the older tool wrote; a wrong key or a changed byte leaves the target as it was.',
  args: {
    source: path('The encrypted file; it stays.', { role: 'reads' }),
    target: path('The file to write.', { role: 'writes' }),
    key: keyArgument(),
  },
  returns: shapes.object({ ciphertext_bytes: shapes.integer(), plaintext_bytes: shapes.integer() }),
  examples: [
    {
      about: 'A file of the older tool.',
      files: { 'a.enc': { base64: 'RkEtQUVTRwEAAAAAAAcHBwcHBwcHBwcHB2QEySsBL6eYp/R99OUpgAKJd5bmHDuhXrLISc/KX0Q=' } },
      args: { source: 'a.enc', target: 'a.txt', key: { base64: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=' } },
      value: { ciphertext_bytes: 56, plaintext_bytes: 15 },
      leaves: { 'a.txt': 'known plaintext' },
    },
  ],
  plan: decryptInto,
  run: decryptInto,
});
