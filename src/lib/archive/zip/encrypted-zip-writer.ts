import { loadZipJs } from './zip-js.ts';
import type { ZipMember, ZipSink, ZipWriter } from './zip-writer.ts';

const AES_256 = 3;
const UNIX = (3 << 8) | 51;

/** Writes a zip file whose contents are encrypted with AES-256; names, sizes and times stay readable, as the format has it. */
export const createEncryptedZipWriter = async (
  sink: ZipSink,
  { password, level }: { readonly password: Uint8Array; readonly level: number },
): Promise<ZipWriter> => {
  const zipJs = await loadZipJs();
  const writer = new zipJs.ZipWriter(new WritableStream<Uint8Array>({ write: (chunk) => sink.write(chunk) }), {
    rawPassword: password,
    encryptionStrength: AES_256,
    zipCrypto: false,
    level,
  });

  const put = async ({ name, mtimeMs, mode }: ZipMember, chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    const isDirectory = name.endsWith('/');
    await writer.add(name, isDirectory ? undefined : ReadableStream.from(chunks), {
      directory: isDirectory,
      lastModDate: new Date(mtimeMs),
      versionMadeBy: UNIX,
      externalFileAttributes: ((mode << 16) >>> 0) + (isDirectory ? 0x10 : 0),
    });
  };

  return {
    add: (member, { data }) => put(member, once(data)),
    addBytes: (member, bytes) => put(member, once(bytes)),
    async addStream(member, _expectedBytes, chunks, { onInput }) {
      await put(member, seen(chunks, onInput));
    },
    async finish() {
      await writer.close();
    },
  };
};

async function* once(data: Uint8Array): AsyncGenerator<Uint8Array> {
  yield data;
}

/** Copies, because the library looks ahead while a chunk is good only until the next one is asked for. */
async function* seen(chunks: AsyncIterable<Uint8Array>, look: ((chunk: Uint8Array) => void) | undefined): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    look?.(chunk);
    yield Uint8Array.from(chunk);
  }
}
