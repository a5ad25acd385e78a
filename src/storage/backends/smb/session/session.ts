import { randomBytes } from 'node:crypto';
import type { OnReadOpts } from 'node:net';
import { type FileAutomationException, SMBException, UrlValidationException } from '../../../../core/errors.ts';
import type { BackendWorld } from '../../../backend.ts';
import type { SmbFaults } from '../faults.ts';
import { EMPTY_PREAUTH_HASH, extendPreauthHash } from '../security/keys.ts';
import { credentialsOf, type SmbSettings } from '../settings.ts';
import { readHeader } from '../wire/header.ts';
import { bareRequest, demandSame, readTreeAnswer, treeConnectRequest, validateRequest } from '../wire/login.ts';
import type { Answer, Request } from '../wire/message.ts';
import { type Agreement, negotiateRequest, readNegotiateAnswer } from '../wire/negotiate.ts';
import { STATUS } from '../wire/status.ts';
import { type Connection, MAX_PIECE_BYTES, openConnection } from './connection.ts';
import type { ExchangeOptions } from './exchange.ts';
import { logIn } from './log-in.ts';

/** A share that somebody is logged in to. */
export interface Session {
  readonly maxRead: number;
  readonly maxWrite: number;
  readonly maxTransact: number;
  exchange(requests: readonly Request[], options: ExchangeOptions): Promise<Answer[]>;
  readonly isOpen: boolean;
  /** How many requests wait for answers. */
  readonly load: number;
  /** Logs off, as far as the server still answers, and ends the connection. */
  close(): Promise<void>;
}

export interface SessionWorld extends BackendWorld {
  readonly faults: SmbFaults;
  readonly signal: AbortSignal;
}

/** Connects, agrees, logs in and opens the share. */
export const openSession = async (settings: SmbSettings, world: SessionWorld): Promise<Session> => {
  const { server, share, port = 445, encrypt = true, connection_timeout: timeout = 30 } = settings;
  const { faults, signal } = world;
  const timeoutMs = timeout * 1000;
  const connect = (onread: OnReadOpts) =>
    world.network.connect(server, port, { timeoutMs, signal, rules: world.rules, onread }).catch((cause: unknown) => {
      throw signal.aborted ? signal.reason : unreachable(server, port, cause);
    });
  const connection = await openConnection(connect, { host: server, timeoutMs });
  try {
    const { agreed, preauthHash, guid } = await negotiate(connection, signal);
    if (encrypt && agreed.cipher === undefined) throw cannotEncrypt(server);
    const { isSealed } = await logIn(connection, {
      agreed,
      preauthHash,
      credentials: credentialsOf(settings),
      host: server,
      encrypt,
      ...world,
    });
    await openShare(connection, { server, share, isSealed, agreed, guid, faults, signal });
    return {
      maxRead: Math.min(agreed.maxRead, MAX_PIECE_BYTES),
      maxWrite: Math.min(agreed.maxWrite, MAX_PIECE_BYTES),
      maxTransact: Math.min(agreed.maxTransact, MAX_PIECE_BYTES),
      exchange: connection.exchange,
      get isOpen() {
        return connection.ended === undefined;
      },
      get load() {
        return connection.load;
      },
      async close() {
        if (connection.ended === undefined) {
          // That the server no longer answers changes nothing: the connection ends either way.
          await connection.exchange([bareRequest('treeDisconnect')], {}).catch(() => {});
          await connection.exchange([bareRequest('logoff')], {}).catch(() => {});
        }
        connection.close();
      },
    };
  } catch (fault) {
    connection.close();
    throw fault;
  }
};

interface Negotiated {
  readonly agreed: Agreement;
  readonly preauthHash: Buffer;
  readonly guid: Buffer;
}

const negotiate = async (connection: Connection, signal: AbortSignal): Promise<Negotiated> => {
  const guid = randomBytes(16);
  let preauthHash = EMPTY_PREAUTH_HASH;
  const [answer] = await connection.exchange([negotiateRequest({ guid, salt: randomBytes(32) })], {
    signal,
    onSent: (message) => {
      preauthHash = extendPreauthHash(preauthHash, message);
    },
  });
  if (answer === undefined || answer.status !== STATUS.ok) throw refusedAll();
  const agreed = readNegotiateAnswer(answer);
  connection.stand({ isLarge: agreed.isLarge });
  return { agreed, preauthHash: extendPreauthHash(preauthHash, answer.message), guid };
};

interface ShareOptions {
  readonly server: string;
  readonly share: string;
  readonly isSealed: boolean;
  readonly agreed: Agreement;
  readonly guid: Buffer;
  readonly faults: SmbFaults;
  readonly signal: AbortSignal;
}

const openShare = async (connection: Connection, options: ShareOptions): Promise<void> => {
  const { server, share, isSealed, agreed, guid, faults, signal } = options;
  const [answer] = await connection.exchange([treeConnectRequest(server, share)], { signal });
  const { message } = faults.demandOk(answer, '');
  const tree = readTreeAnswer({ status: STATUS.ok, message, release: () => {} });
  if (!tree.isDisk)
    throw faults.because('unsupported', `The share ${share} of ${server} holds no files; name another one in the connection.`);
  if (tree.isSealed && agreed.cipher === undefined) throw cannotEncrypt(server);
  connection.stand({ treeId: readHeader(message).treeId, isSealed: isSealed || tree.isSealed });
  if (agreed.dialect !== 0x0311) await demandUnchanged(connection, { agreed, guid, faults, signal });
};

/** Before 3.1.1 nothing vouches for the first messages, so the server repeats them. Servers of 2.1 may not know the question; they say so signed. */
const demandUnchanged = async (
  connection: Connection,
  { agreed, guid, faults, signal }: Pick<ShareOptions, 'agreed' | 'guid' | 'faults' | 'signal'>,
): Promise<void> => {
  const [answer] = await connection.exchange([validateRequest(guid)], { signal });
  const isUnknown =
    answer !== undefined && [STATUS.invalidDeviceRequest, STATUS.notSupported, STATUS.fileClosed].some((each) => each === answer.status);
  if (isUnknown && agreed.dialect === 0x0210) return;
  demandSame(faults.demandOk(answer, ''), agreed);
};

const refusedAll = (): SMBException =>
  new SMBException('The server refused every version of SMB from 2.1 to 3.1.1; allow one of them there.', {
    context: { code: 'unsupported' },
  });

const cannotEncrypt = (server: string): SMBException =>
  new SMBException(
    `The SMB server ${server} cannot encrypt, and the connection demands it; turn it on there, or set encrypt = false to sign only.`,
    {
      context: { code: 'unsupported' },
    },
  );

const unreachable = (server: string, port: number, cause: unknown): FileAutomationException => {
  if (cause instanceof UrlValidationException && !cause.retryable) return cause;
  return new SMBException(
    `The SMB server ${server} cannot be reached on port ${port}; check that it runs and that nothing is in the way.`,
    {
      cause,
      context: { code: 'unreachable' },
      retryable: true,
    },
  );
};
