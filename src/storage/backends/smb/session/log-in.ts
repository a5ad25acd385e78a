import { randomBytes } from 'node:crypto';
import { SMBException } from '../../../../core/errors.ts';
import type { Clock } from '../../../../core/ports.ts';
import type { SmbFaults } from '../faults.ts';
import { extendPreauthHash, sessionKeys } from '../security/keys.ts';
import { answerChallenge, type Credentials, ntlmNegotiate } from '../security/ntlm.ts';
import { createSealer } from '../security/sealing.ts';
import { createSigner } from '../security/signing.ts';
import { isSpnegoOffered, unwrap, wrapFirst, wrapLast } from '../security/spnego.ts';
import { malformed } from '../wire/bytes.ts';
import { FLAG, readHeader } from '../wire/header.ts';
import { readSetupAnswer, sessionSetupRequest } from '../wire/login.ts';
import type { Answer } from '../wire/message.ts';
import type { Agreement } from '../wire/negotiate.ts';
import { STATUS } from '../wire/status.ts';
import type { Connection } from './connection.ts';

export interface LogInOptions {
  readonly agreed: Agreement;
  readonly preauthHash: Buffer;
  readonly credentials: Credentials;
  readonly host: string;
  readonly encrypt: boolean;
  readonly clock: Pick<Clock, 'now'>;
  readonly faults: SmbFaults;
  readonly signal: AbortSignal;
}

/** Logs in and protects everything from then on. Tells whether all of it is encrypted. */
export const logIn = async (connection: Connection, options: LogInOptions): Promise<{ readonly isSealed: boolean }> => {
  const { agreed, credentials, host, faults, signal } = options;
  const isSpnego = isSpnegoOffered(agreed.securityOffer);
  let preauthHash = options.preauthHash;
  const onSent = (message: Buffer) => {
    preauthHash = extendPreauthHash(preauthHash, message);
  };

  const negotiate = ntlmNegotiate();
  const [first] = await connection.exchange([sessionSetupRequest(isSpnego ? wrapFirst(negotiate) : negotiate)], { signal, onSent });
  if (first?.status !== STATUS.moreProcessingRequired) throw faults.ofStatus(first?.status ?? STATUS.notSupported, '');
  preauthHash = extendPreauthHash(preauthHash, first.message);
  const { sessionId } = readHeader(first.message);
  connection.stand({ sessionId });

  const { message, sessionKey, sign } = answerChallenge({
    credentials,
    host,
    negotiate,
    challenge: unwrap(readSetupAnswer(first).token),
    nowMs: options.clock.now(),
    clientNonce: randomBytes(8),
    freshKey: randomBytes(16),
  });
  const [last] = await connection.exchange([sessionSetupRequest(isSpnego ? wrapLast(message, sign) : message)], { signal, onSent });
  const answer = faults.demandOk(last, '');
  const { isNobody, isSealed } = readSetupAnswer(answer);
  if (credentials.user === '') {
    if (options.encrypt)
      throw nobody('A login without a user cannot be encrypted; give the connection a username, or set encrypt = false.');
    return { isSealed: false };
  }
  if (isNobody)
    throw nobody(`The SMB server ${host} let the user in only as a guest, which nothing protects; check username and password.`);
  return protect(connection, { ...options, answer, preauthHash, sessionId, sessionKey, isSealed });
};

interface ProtectOptions extends LogInOptions {
  readonly answer: Answer;
  readonly sessionId: bigint;
  readonly sessionKey: Buffer;
  readonly isSealed: boolean;
}

/** The keys of the session; the last answer of the login must be signed with them, which proves that the server knows the password too. */
const protect = (connection: Connection, options: ProtectOptions): { readonly isSealed: boolean } => {
  const { agreed, answer, preauthHash, sessionKey } = options;
  const keys = sessionKeys({ dialect: agreed.dialect, sessionKey, cipher: agreed.cipher, preauthHash });
  const signer = createSigner(agreed.signing, keys.signing);
  if ((readHeader(answer.message).flags & FLAG.signed) === 0) throw malformed('a login that is not signed');
  if (!signer.isRight(answer.message)) throw malformed('a login whose signature is wrong');
  const sealer =
    agreed.cipher !== undefined && keys.sealing !== undefined && keys.opening !== undefined
      ? createSealer(agreed.cipher, keys.sealing, keys.opening)
      : undefined;
  if (options.isSealed && sealer === undefined) throw malformed('a demand for encryption that it cannot do');
  const isSealed = options.encrypt || options.isSealed;
  connection.stand({ signer, sealer, isSealed });
  return { isSealed };
};

const nobody = (message: string): SMBException => new SMBException(message, { context: { code: 'denied' } });
