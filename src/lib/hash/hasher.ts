import { createHash, getHashes } from 'node:crypto';
import { ArgumentException } from '../../core/errors.ts';
import { didYouMean } from '../text/nearest.ts';

/** A digest being made. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** Lower-case hex. */
  digest(): string;
}

/** Names people use that OpenSSL spells in another way. */
const OPENSSL_NAME: ReadonlyMap<string, string> = new Map([
  ['blake2b', 'blake2b512'],
  ['blake2s', 'blake2s256'],
  ['sha3_224', 'sha3-224'],
  ['sha3_256', 'sha3-256'],
  ['sha3_384', 'sha3-384'],
  ['sha3_512', 'sha3-512'],
  ['shake_128', 'shake128'],
  ['shake_256', 'shake256'],
]);

const CASTAGNOLI = 0x82f63b78;

/** Digests beyond OpenSSL's, loaded when asked for. */
const WASM_HASHERS = {
  blake3: async () => (await import('hash-wasm')).createBLAKE3(),
  xxh3: async () => (await import('hash-wasm')).createXXHash3(),
  xxh128: async () => (await import('hash-wasm')).createXXHash128(),
  crc32c: async () => (await import('hash-wasm')).createCRC32(CASTAGNOLI),
} as const;

const isWasmName = (name: string): name is keyof typeof WASM_HASHERS => Object.hasOwn(WASM_HASHERS, name);

/** Every name that `openHasher` knows, sorted. */
export const hashNames = (): string[] =>
  [...new Set([...getHashes().map((name) => name.toLowerCase()), ...OPENSSL_NAME.keys(), ...Object.keys(WASM_HASHERS)])].sort();

/** A digest by name: OpenSSL's own name for it, or the start of one that OpenSSL lacks. */
export type KnownHash =
  | { readonly openssl: string }
  | { readonly load: () => ReturnType<(typeof WASM_HASHERS)[keyof typeof WASM_HASHERS]> };

/** Finds a digest; an unknown one is refused with the nearest that exists. */
export const findHash = (algorithm: string): KnownHash => {
  const name = algorithm.toLowerCase();
  if (isWasmName(name)) return { load: WASM_HASHERS[name] };
  if (hashNames().includes(name)) return { openssl: OPENSSL_NAME.get(name) ?? name };
  const shown = algorithm.slice(0, 40);
  throw new ArgumentException(
    `No digest is called ${JSON.stringify(shown)}${didYouMean(shown, hashNames()) || '; use sha256, sha512, md5, blake3 or xxh3.'}`,
    { context: { argument: 'algorithm', algorithm: shown } },
  );
};

/** Starts a digest by name. */
export const openHasher = async (algorithm: string): Promise<Hasher> => {
  const known = findHash(algorithm);
  if ('openssl' in known) {
    const hash = createHash(known.openssl);
    return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') };
  }
  const hasher = await known.load();
  hasher.init();
  return { update: (bytes) => void hasher.update(bytes), digest: () => hasher.digest('hex') };
};
