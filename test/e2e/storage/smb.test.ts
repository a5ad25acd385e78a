import { afterAll } from 'vitest';
import type { SmbSettings } from '../../../src/storage/backends/smb/settings.ts';
import { storageContract } from '../../contract/storage.ts';
import { describePeer } from '../../support/peers.ts';
import { openTestSmb, REFUSED, smbSettings } from '../../support/smb.ts';

/** How a server is set up, and what is tried on it. */
const VARIANTS: Readonly<Record<string, readonly (readonly [string, Partial<SmbSettings>])[]>> = {
  default: [
    ['3.1.1, signed', {}],
    ['3.1.1, encrypted', { encrypt: true }],
    ['3.1.1, on a share that demands encryption', { share: 'sealed' }],
  ],
  sign: [['3.1.1, on a server that demands signatures', {}]],
  seal: [['3.1.1, on a server that demands encryption', {}]],
  smb302: [
    ['3.0.2, signed', {}],
    ['3.0.2, encrypted', { encrypt: true }],
  ],
  smb21: [['2.1, signed', {}]],
};

for (const [variant, ways] of Object.entries(VARIANTS))
  describePeer('samba', variant, async (open) => {
    const peer = await open();
    afterAll(() => peer[Symbol.asyncDispose]());
    for (const [at, [name, given]] of ways.entries())
      storageContract({
        name: `smb ${name}`,
        directory: `way ${at}`,
        refuses: REFUSED,
        open: () => openTestSmb(smbSettings(peer, given)),
      });
  });
