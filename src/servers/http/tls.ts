import { X509Certificate } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { ConfigException } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';

/** Where certificate and key lie, in PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

interface Pair {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly minVersion: 'TLSv1.2';
}

const LOOK_EVERY_MS = 5_000;

/** The certificate of a door, read again when its files change; a pair that does not fit together leaves the old one in use. */
export const openCertificate = async (
  files: TlsFiles,
  log: Log,
  { lookEveryMs = LOOK_EVERY_MS }: { readonly lookEveryMs?: number } = {},
) => {
  const pair = await readPair(files);
  warnOfTime(pair, log);
  let listener: (pair: Pair) => void = () => {};
  const readAgain = async (): Promise<void> => {
    try {
      const next = await readPair(files);
      listener(next);
      log('info', 'the certificate was read again', { cert: files.cert });
      warnOfTime(next, log);
    } catch (fault) {
      log('error', 'the new certificate cannot be used, the old one stays', {
        error: fault instanceof Error ? fault.message : String(fault),
      });
    }
  };
  // Both files mostly change together: one reading after the other, so that the last one counts.
  let reading = Promise.resolve();
  const reload = () => {
    reading = reading.then(readAgain);
  };
  for (const path of [files.cert, files.key]) watchFile(path, { interval: lookEveryMs, persistent: false }, reload);
  return {
    pair,
    onChange(told: (pair: Pair) => void) {
      listener = told;
    },
    close() {
      for (const path of [files.cert, files.key]) unwatchFile(path, reload);
    },
  };
};

/** Clients refuse a certificate outside its time, and say so only to themselves. */
const warnOfTime = ({ cert }: Pair, log: Log): void => {
  const { subject, validFrom, validTo } = new X509Certificate(cert);
  const now = Date.now();
  if (now >= Date.parse(validFrom) && now <= Date.parse(validTo)) return;
  log('warn', `the certificate is good from ${validFrom} to ${validTo}, so clients refuse it now; renew it or check the clock`, {
    subject,
  });
};

const readPair = async ({ cert, key }: TlsFiles): Promise<Pair> => {
  try {
    const pair: Pair = { cert: await readFile(cert), key: await readFile(key), minVersion: 'TLSv1.2' };
    createSecureContext(pair); // throws where the two do not belong together
    return pair;
  } catch (cause) {
    throw new ConfigException(`The certificate ${cert} and the key ${key} cannot be used; check that both are PEM and belong together.`, {
      context: { cert, key },
      cause,
    });
  }
};
