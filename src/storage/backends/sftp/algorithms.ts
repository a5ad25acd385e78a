import type { Algorithms, CipherAlgorithm, KexAlgorithm, MacAlgorithm, ServerHostKeyAlgorithm } from 'ssh2';

const HOST_KEYS: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
];
const EXCHANGES: readonly KexAlgorithm[] = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
  'diffie-hellman-group-exchange-sha256',
  'diffie-hellman-group14-sha256',
  'diffie-hellman-group16-sha512',
  'diffie-hellman-group18-sha512',
];
/** The fastest first: processors have AES, and GCM needs no digest beside it. */
const CIPHERS: readonly CipherAlgorithm[] = [
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'chacha20-poly1305@openssh.com',
  'aes128-ctr',
  'aes192-ctr',
  'aes256-ctr',
];
const DIGESTS: readonly MacAlgorithm[] = [
  'hmac-sha2-256-etm@openssh.com',
  'hmac-sha2-512-etm@openssh.com',
  'hmac-sha2-256',
  'hmac-sha2-512',
];
/** SHA-1 and CBC: only where the owner of a connection has said so. */
const LEGACY = {
  hostKeys: ['ssh-rsa'] satisfies ServerHostKeyAlgorithm[],
  exchanges: ['diffie-hellman-group-exchange-sha1', 'diffie-hellman-group14-sha1'] satisfies KexAlgorithm[],
  ciphers: ['aes256-cbc', 'aes128-cbc', '3des-cbc'] satisfies CipherAlgorithm[],
  digests: ['hmac-sha1-etm@openssh.com', 'hmac-sha1'] satisfies MacAlgorithm[],
};

/** What is offered to a server. Keys of the types that are known of it come first, so that it shows one that can be compared. */
export const algorithmsFor = (knownTypes: readonly string[], isLegacy: boolean): Algorithms => {
  const hostKeys = [...HOST_KEYS, ...(isLegacy ? LEGACY.hostKeys : [])];
  const isKnown = (name: string): boolean =>
    knownTypes.includes(name) || (/^(?:rsa-sha2-|ssh-rsa$)/.test(name) && knownTypes.includes('ssh-rsa'));
  return {
    serverHostKey: [...hostKeys.filter(isKnown), ...hostKeys.filter((name) => !isKnown(name))],
    kex: [...EXCHANGES, ...(isLegacy ? LEGACY.exchanges : [])],
    cipher: [...CIPHERS, ...(isLegacy ? LEGACY.ciphers : [])],
    hmac: [...DIGESTS, ...(isLegacy ? LEGACY.digests : [])],
    compress: ['none'],
  };
};
