import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FTPException } from '../../../core/errors.ts';
import { secure } from '../../../lib/net/connect.ts';
import type { BackendWorld } from '../../backend.ts';
import type { StorageFaults } from '../../faults.ts';
import { faultOfLine } from './faults.ts';
import { createDirectInflow, createInflowBuffers, type Inflow, streamInflow } from './inflow.ts';
import { createReplyReader, portOfEpsv, portOfPasv, type Reply } from './reply.ts';
import type { FtpSettings } from './settings.ts';

export interface ControlOptions {
  readonly settings: FtpSettings;
  readonly world: BackendWorld;
  readonly faults: StorageFaults;
  readonly signal: AbortSignal;
}

/** A connection for data, together with the command that it belongs to. */
export interface DataLine {
  readonly socket: Socket;
  readonly inflow: Inflow;
  /** Whether the last answer has come. */
  readonly isOver: boolean;
  /** The last answer to the command, when the data is over. */
  finish(): Promise<Reply>;
  /** Waits until no answer to a transfer that was given up can come any more: some servers send two. */
  sync(): Promise<void>;
  /** No answer is waited for any more: the connection for commands goes too. */
  giveUp(): void;
}

/** One connection for commands. One command is under way at a time; the pool sees to that. */
export interface ControlLine {
  readonly isOpen: boolean;
  /** Sends a command and hands out the answer, whatever it is. */
  ask(command: string): Promise<Reply>;
  /** Sends a command whose data comes or goes by a connection of its own; the refusal where the server refuses. */
  transfer(command: string, restart?: number): Promise<DataLine | Reply>;
  /** Puts TLS on it, for commands and for data. */
  encrypt(): Promise<void>;
  destroy(fault?: FTPException): void;
}

/** No transfer that was given up is answered more often. */
const MAX_STRAYS = 3;

/** Connects and reads the greeting. */
export const openControlLine = async ({ settings, world, faults, signal }: ControlOptions): Promise<ControlLine> => {
  const { host, port = 21, timeout = 30, ca, verify_tls: verify = true } = settings;
  const timeoutMs = timeout * 1000;
  const tls = { host, ca, verify, alpn: [], timeoutMs } as const;
  const opened = (work: Promise<Socket>, when: string): Promise<Socket> =>
    work.catch((fault: unknown) => {
      signal.throwIfAborted();
      throw faultOfLine(faults, fault, settings, when);
    });
  let socket: Socket = await opened(world.network.connect(host, port, { timeoutMs, signal, rules: world.rules }), 'cannot be reached');
  const peer = socket.remoteAddress ?? host;
  let session: Buffer | undefined;
  let isSecure = false;
  let lost: FTPException | undefined;
  let hasEpsv = true;
  let data: Socket | undefined;
  /** For what comes in; there is one transfer at a time. */
  let buffers: readonly Buffer[] | undefined;
  let reader = createReplyReader();
  const ready: Reply[] = [];
  const waiting: { readonly resolve: (reply: Reply) => void; readonly reject: (fault: Error) => void }[] = [];

  const lose = (fault: FTPException): void => {
    if (lost !== undefined) return;
    lost = fault;
    socket.destroy();
    data?.destroy();
    for (const { reject } of waiting.splice(0)) reject(fault);
  };
  const broken = (why: string, retryable: boolean): FTPException =>
    faults.because('broken', `The connection to ${host} broke (${why}); ${retryable ? 'try again' : 'check what answers there'}.`, {
      retryable,
      context: { host },
    });
  const onData = (bytes: Buffer): void => {
    try {
      for (const reply of reader.feed(bytes)) {
        const next = waiting.shift();
        if (next !== undefined) next.resolve(reply);
        else ready.push(reply);
      }
      if (ready.length > 8) throw new Error('answers to nothing');
    } catch (fault) {
      lose(broken(fault instanceof Error ? fault.message : 'no reason given', false));
    }
  };
  const listen = (): void => {
    socket.on('data', onData);
    socket.on('error', (fault: NodeJS.ErrnoException) => lose(broken(fault.code ?? 'no reason given', true)));
    socket.on('close', () => lose(broken('it was closed', true)));
  };
  /** Waits for an answer; without a limit while data is on its way, which has limits of its own. */
  const nextReply = (isTimed = true): Promise<Reply> => {
    const early = ready.shift();
    if (early !== undefined) return Promise.resolve(early);
    if (lost !== undefined) return Promise.reject(lost);
    const timer = isTimed ? setTimeout(() => lose(broken(`no answer within ${timeout} s`, true)), timeoutMs) : undefined;
    return new Promise<Reply>((resolve, reject) => waiting.push({ resolve, reject })).finally(() => clearTimeout(timer));
  };
  const send = (command: string): void => {
    // A line end inside would be a second command.
    if (/[\r\n\0]/.test(command)) throw faults.because('bad_name', 'A name with a line break cannot be sent over FTP; choose another one.');
    if (lost !== undefined) throw lost;
    socket.write(`${command}\r\n`);
  };
  const ask = async (command: string): Promise<Reply> => {
    if (ready.length > 0) sayGoodbye(ready.splice(0));
    send(command);
    for (;;) {
      const reply = await nextReply();
      if (reply.code >= 200) return reply;
    }
  };
  /** What came unasked: usually that the server has waited long enough. */
  const sayGoodbye = (replies: readonly Reply[]): never => {
    const isTimeout = replies.some(({ code }) => code === 421);
    lose(broken(isTimeout ? 'the server ended it' : 'an answer came unasked', true));
    throw lost;
  };

  const passivePort = async (): Promise<number> => {
    if (hasEpsv) {
      const reply = await ask('EPSV');
      const port = reply.code === 229 ? portOfEpsv(reply) : undefined;
      if (port !== undefined) return port;
      if (reply.code < 500) throw broken(`no port in the answer ${reply.code} to EPSV`, reply.code >= 400);
      hasEpsv = false;
    }
    const reply = await ask('PASV');
    const port = reply.code === 227 ? portOfPasv(reply) : undefined;
    if (port === undefined)
      throw faults.because('unsupported', `${host} opens no port for data (${reply.code}); have passive mode allowed there.`);
    return port;
  };

  listen();
  const line: ControlLine = {
    get isOpen() {
      return lost === undefined;
    },
    ask,
    async transfer(command, restart = 0) {
      const port = await passivePort();
      // Always the machine that is spoken with already, whatever address the server names.
      const rules = { ...world.rules, allowHosts: [...(world.rules.allowHosts ?? []), peer] };
      if (!isSecure) buffers ??= createInflowBuffers();
      const direct = isSecure || buffers === undefined ? undefined : createDirectInflow(buffers);
      const plain = await opened(
        world.network.connect(peer, port, { timeoutMs, rules, ...(direct && { onread: direct.onread }) }),
        `opened port ${port} for data, which cannot be reached`,
      );
      plain.on('error', () => {}); // heard of by whoever reads or writes
      data = plain;
      // Some servers shake hands before they answer, others after it.
      const ours = isSecure ? opened(secure(plain, { ...tls, session }), 'broke off the encryption of data') : Promise.resolve(plain);
      ours.catch(() => {});
      let isSent = false;
      try {
        if (restart > 0) {
          const reply = await ask(`REST ${restart}`);
          if (reply.code !== 350) {
            plain.destroy();
            return reply;
          }
        }
        send(command);
        isSent = true;
        const reply = await nextReply();
        if (reply.code >= 200) {
          plain.destroy();
          return reply;
        }
        const channel = await ours;
        data = channel;
        channel.on('error', () => {});
        const last = nextReply(false);
        let isOver = false;
        last.then(
          () => {
            isOver = true;
          },
          () => {},
        );
        return {
          socket: channel,
          inflow: direct === undefined ? streamInflow(channel) : direct.from(channel),
          get isOver() {
            return isOver;
          },
          giveUp: () => lose(broken('a transfer was given up', true)),
          async sync() {
            send('NOOP');
            for (let strays = 0; (await nextReply()).code !== 200; strays += 1) {
              if (strays === MAX_STRAYS) throw broken('answers came unasked', true);
            }
          },
          async finish() {
            const timer = setTimeout(() => lose(broken(`no answer within ${timeout} s`, true)), timeoutMs);
            try {
              return await last;
            } finally {
              clearTimeout(timer);
              channel.destroy();
            }
          },
        };
      } catch (fault) {
        plain.destroy();
        // An answer to the command is still to come, and would be taken for that to another one.
        if (isSent) lose(broken('the connection for data did', true));
        throw fault;
      }
    },
    async encrypt() {
      if (reader.isInside || ready.length > 0) throw broken('something was said before the encryption', false);
      socket.removeAllListeners();
      socket.on('error', () => {});
      const secured = await opened(secure(socket, tls), 'broke off the encryption');
      socket = secured;
      reader = createReplyReader();
      isSecure = true;
      session = (secured as TLSSocket).getSession(); // `secure` gives no other kind
      socket.on('session', (ticket: Buffer) => {
        session = ticket; // in TLS 1.3 it comes later, and only this one can be gone on with
      });
      listen();
    },
    destroy: (fault = faults.because('broken', `The connection to ${host} was closed.`, { context: { host } })) => lose(fault),
  };
  const stop = () => lose(broken('it was given up', false));
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (settings.implicit === true) await line.encrypt();
    const greeting = await nextReply();
    const hello = greeting.code === 120 ? await nextReply() : greeting;
    if (hello.code !== 220) {
      const isFull = hello.code === 421 || hello.code === 530;
      throw faults.because(isFull ? 'busy' : 'unreachable', `${host} takes no connection now (${hello.code}); try again later.`, {
        retryable: isFull,
        context: { host, server_code: String(hello.code) },
      });
    }
    return line;
  } catch (fault) {
    line.destroy();
    throw fault;
  } finally {
    signal.removeEventListener('abort', stop);
  }
};
