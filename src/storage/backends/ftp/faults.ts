import { FileAutomationException, type FTPException } from '../../../core/errors.ts';
import type { StorageCode } from '../../../core/storage.ts';
import type { StorageFaults } from '../../faults.ts';
import { type Reply, saidIn } from './reply.ts';
import type { FtpSettings } from './settings.ts';

interface Meaning {
  readonly code: StorageCode;
  readonly retryable?: boolean;
  readonly remedy: string;
}

const MEANING: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [421, { code: 'busy', retryable: true, remedy: 'try again later' }],
  [425, { code: 'broken', retryable: true, remedy: 'check that the ports for data are open on the way' }],
  [426, { code: 'broken', retryable: true, remedy: 'try again' }],
  [450, { code: 'busy', retryable: true, remedy: 'try again later' }],
  [451, { code: 'broken', retryable: true, remedy: 'try again, look into the log of the server' }],
  [452, { code: 'out_of_space', remedy: 'make room there' }],
  [522, { code: 'denied', remedy: 'the server demands that TLS sessions are gone on with' }],
  [530, { code: 'denied', remedy: 'check the name and the password' }],
  [532, { code: 'denied', remedy: 'the server wants an account' }],
  [552, { code: 'out_of_space', remedy: 'make room there' }],
  [553, { code: 'denied', remedy: 'choose another name, or have the rights there changed' }],
]);

/** A refusal of the server as a fault of the storage. */
export const faultOfReply = (faults: StorageFaults, reply: Reply, what: string, location: string): FTPException => {
  const { code, retryable = false, remedy } = meaningOf(reply);
  return faults.because(code, `${what} ${location} failed (${reply.code} ${saidIn(reply)}); ${remedy}.`, {
    retryable,
    context: { location, server_code: String(reply.code) },
  });
};

const meaningOf = (reply: Reply): Meaning => {
  const said = saidIn(reply);
  if (reply.code === 530 && /too many|maximum|limit/i.test(said)) return { code: 'busy', retryable: true, remedy: 'try again later' };
  if (reply.code >= 550 && /space|quota/i.test(said)) return { code: 'out_of_space', remedy: 'make room there' };
  if (reply.code >= 550 && /too long/i.test(said)) return { code: 'bad_name', remedy: 'choose another name' };
  const known = MEANING.get(reply.code);
  if (known !== undefined) return known;
  if (reply.code === 550) return { code: 'denied', remedy: 'the server does not allow it, or it is not there' };
  if (reply.code >= 500 && reply.code < 510) return { code: 'unsupported', remedy: 'the server cannot do that' };
  return { code: 'broken', retryable: reply.code < 500, remedy: 'look into the log of the server' };
};

const CERTIFICATE = /^(?:ERR_TLS_CERT|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA)/;

/** A connection that could not be opened, or that broke, as a fault of the storage. */
export const faultOfLine = (faults: StorageFaults, fault: unknown, { host, port = 21 }: FtpSettings, when: string): unknown => {
  if (fault instanceof FileAutomationException) {
    if (fault.type === 'FTPException' || fault.type === 'CancelledException') return fault;
    return faults.because('unreachable', fault.message, {
      cause: fault,
      retryable: fault.type !== 'UrlValidationException' || fault.retryable,
      context: { host, port },
    });
  }
  const code = fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined;
  const context = { host, port, ...(code !== undefined && { server_code: code }) };
  if (code !== undefined && CERTIFICATE.test(code)) {
    return faults.because(
      'denied',
      `The certificate of ${host} is not to be trusted (${code}); name its authority with ca_file, or the host as the certificate does.`,
      { cause: fault, context: { ...context, reason: 'certificate' } },
    );
  }
  const why = code ?? (fault instanceof Error ? fault.message.slice(0, 200) : 'no reason given');
  return faults.because('unreachable', `${host} port ${port} ${when} (${why}); check host, port and network.`, {
    cause: fault,
    retryable: true,
    context,
  });
};
