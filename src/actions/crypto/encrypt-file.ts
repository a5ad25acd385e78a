import { defineAction } from '../../core/action.ts';
import { path } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { type Header, sealedBytes } from '../../lib/crypto/container.ts';
import { encrypt, newHeader } from '../../lib/crypto/encrypt.ts';
import { transformFile } from '../../lib/fs/edit-file.ts';
import { associatedBytes, associatedDataArgument, type WrittenBytes } from './associated-data.ts';
import { demandKey, keyArgument } from './key-argument.ts';
import { inOurWords, openSource } from './open-source.ts';

/** Checks what can be checked before anything is opened. */
const headerFor = ({ key, associated_data }: { readonly key: Uint8Array; readonly associated_data: WrittenBytes }): Header => {
  demandKey(key);
  return newHeader(associatedBytes(associated_data));
};

export const encryptFile = defineAction({
  name: 'FA_encrypt_file',
  summary: 'Encrypts a file so that only the key opens it and any change shows.',
  args: {
    source: path('The file to encrypt; it stays.', { role: 'reads' }),
    target: path('The encrypted file to write.', { role: 'writes' }),
    key: keyArgument(),
    associated_data: associatedDataArgument(),
  },
  returns: shapes.object({ plaintext_bytes: shapes.integer(), ciphertext_bytes: shapes.integer() }),
  examples: [
    {
      files: { 'a.txt': 'secret text' },
      args: { source: 'a.txt', target: 'a.enc', key: '0123456789abcdef0123456789abcdef' },
      value: { plaintext_bytes: 11, ciphertext_bytes: 52 },
    },
  ],
  async plan({ files, signal }, args) {
    const header = headerFor(args);
    await using source = await openSource(files, args.source);
    await using target = await files.create(args.target, { signal, expectedBytes: sealedBytes(source.entry.size, header) });
    await target.commit();
  },
  async run(context, args) {
    demandKey(args.key);
    return inOurWords(context.files, args.source, () =>
      transformFile(context, { from: args.source, to: args.target }, async (source, target) => {
        const header = headerFor(args); // here, because no two contents may share its nonce
        const { size, name } = source.entry;
        const shown = context.progress(`encrypt ${name}`, size);
        const ciphertext_bytes = await encrypt(source, target, { key: args.key, header, onBytes: shown.advance });
        return { value: { plaintext_bytes: size, ciphertext_bytes }, isChanged: true };
      }),
    );
  },
});
