import { isUtf8 } from 'node:buffer';

/** What nobody can name. */
const UNKNOWN = 'application/octet-stream';

/** Registered names where the signature library has an older one. */
const REGISTERED: ReadonlyMap<string, string> = new Map([
  ['application/x-sqlite3', 'application/vnd.sqlite3'],
  ['application/x-rar-compressed', 'application/vnd.rar'],
  ['video/ogg', 'application/ogg'],
  ['audio/ogg', 'application/ogg'],
]);

/** Bytes that tell a type, for formats whose signature is shorter than the library wants to see. */
const SHORT_SIGNATURES: readonly (readonly [string, string])[] = [
  ['ffd8ff', 'image/jpeg'],
  ['25504446', 'application/pdf'],
  ['504b0304', 'application/zip'],
  ['504b0506', 'application/zip'],
  ['1f8b', 'application/gzip'],
  ['425a68', 'application/x-bzip2'],
  ['526172211a07', 'application/vnd.rar'],
  ['494433', 'audio/mpeg'],
  ['377abcaf271c', 'application/x-7z-compressed'],
  ['4f676753', 'application/ogg'],
  ['89504e470d0a1a0a', 'image/png'],
  ['53514c69746520666f726d6174203300', 'application/vnd.sqlite3'],
];

/** How many leading bytes `mimeOfBytes` wants to see. */
export const MIME_SAMPLE_BYTES = 4100;

/** The type that a file name tells, or undefined. */
export const mimeOfName = async (name: string): Promise<string | undefined> =>
  (await import('mime')).default.getType(name.toLowerCase()) ?? undefined;

/** The type that leading bytes tell: by signature, else text where they are UTF-8 without control characters. */
export const mimeOfBytes = async (bytes: Uint8Array): Promise<string> => {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined); // too short to tell is no failure
  const type = found === undefined ? bySignature(bytes) : (REGISTERED.get(found.mime) ?? found.mime);
  return type ?? (isText(bytes) ? 'text/plain' : UNKNOWN);
};

const bySignature = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('hex');
  return SHORT_SIGNATURES.find(([signature]) => head.startsWith(signature))?.[1];
};

const isText = (bytes: Uint8Array): boolean => {
  // A sample may end inside a character, but not be less than one.
  for (let cut = 0; cut <= 3 && cut < bytes.byteLength; cut += 1) {
    const part = bytes.subarray(0, bytes.byteLength - cut);
    if (isUtf8(part))
      return !part.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b);
  }
  return false;
};
