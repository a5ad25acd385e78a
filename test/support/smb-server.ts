import { createHmac } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { OnReadOpts, Socket } from 'node:net';
import type { Network } from '../../src/lib/net/network.ts';
import { EMPTY_PREAUTH_HASH, extendPreauthHash, sessionKeys } from '../../src/storage/backends/smb/security/keys.ts';
import { ntowfv2 } from '../../src/storage/backends/smb/security/ntlm.ts';
import { rc4 } from '../../src/storage/backends/smb/security/rc4.ts';
import { createSigner, type Signer } from '../../src/storage/backends/smb/security/signing.ts';
import { COMMAND, FLAG } from '../../src/storage/backends/smb/wire/header.ts';

/** What a server under test answers to one request. */
export interface SmbReply {
  readonly status?: number;
  readonly body?: Buffer;
  /** Granted; enough by default. */
  readonly credits?: number;
  readonly flags?: number;
  /** In place of the id that was asked with. */
  readonly messageId?: bigint;
  /** `wrong` signs with another key, `none` not at all. */
  readonly signature?: 'right' | 'wrong' | 'none';
  /** Changes the message on its way, behind the back of the server. */
  readonly tamper?: (message: Buffer) => void;
  /** Goes out as it is, in place of a frame. */
  readonly raw?: Buffer;
  /** Nothing comes, or the line is cut. */
  readonly instead?: 'silence' | 'end';
}

export interface SmbRequest {
  readonly command: number;
  readonly body: Buffer;
  /** How many of this command came before it, on all connections. */
  readonly nth: number;
}

/** Answers otherwise than a server should; undefined for the ordinary answer. */
export type SmbTwist = (request: SmbRequest, usual: SmbReply) => SmbReply | undefined;

/** A server in memory that knows one small file, `a.txt`, and says whatever a test wants it to. */
export interface FakeSmb {
  readonly network: Network;
  readonly requests: SmbRequest[];
}

export const FAKE_SETTINGS = {
  server: 'fake',
  share: 'share',
  username: 'user',
  password: 'pw',
  encrypt: false,
  connection_timeout: 5,
} as const;
export const FAKE_CONTENT = Buffer.from('the content of a file');

const SESSION_ID = 0x77n;

export const createFakeSmb = (twist: SmbTwist = () => undefined): FakeSmb => {
  const requests: SmbRequest[] = [];
  const counts = new Map<number, number>();
  const connect: Network['connect'] = async (_host, _port, { onread }) => {
    if (onread === undefined) throw new Error('The client reads by itself.');
    return openFakeSocket(onread, (frame, line) => answerFrame(frame, line));
  };

  /** What a connection has agreed on so far. */
  const states = new WeakMap<FakeLine, { hash: Buffer; signer?: Signer }>();

  const answerFrame = (frame: Buffer, line: FakeLine): void => {
    const state = states.get(line) ?? { hash: EMPTY_PREAUTH_HASH };
    states.set(line, state);
    for (let rest = frame; ; ) {
      const next = rest.readUInt32LE(20);
      const message = next === 0 ? rest : rest.subarray(0, next);
      const command = message.readUInt16LE(12);
      const nth = counts.get(command) ?? 0;
      counts.set(command, nth + 1);
      const request = { command, body: message.subarray(64), nth };
      requests.push(request);
      if (command <= COMMAND.sessionSetup) state.hash = extendPreauthHash(state.hash, message);
      if (command === COMMAND.sessionSetup && isSecondSetup(request)) state.signer = signerOf(request, state.hash);
      const usual = usualReply(request);
      const reply = twist(request, usual) ?? usual;
      if (command !== COMMAND.cancel) send(reply, message, line, state);
      if (next === 0) return;
      rest = rest.subarray(next);
    }
  };

  const send = (reply: SmbReply, asked: Buffer, line: FakeLine, state: { hash: Buffer; signer?: Signer }) => {
    if (reply.instead === 'silence') return;
    if (reply.instead === 'end') return line.end();
    if (reply.raw !== undefined) return line.deliver(reply.raw);
    const message = Buffer.concat([asked.subarray(0, 64), reply.body ?? Buffer.alloc(0)]);
    message.writeUInt32LE(reply.status ?? 0, 8);
    message.writeUInt16LE(reply.credits ?? 64, 14);
    message.writeUInt32LE(FLAG.response | (reply.flags ?? 0), 16);
    message.writeUInt32LE(0, 20);
    if (reply.messageId !== undefined) message.writeBigUInt64LE(reply.messageId, 24);
    message.writeUInt32LE(9, 36);
    message.writeBigUInt64LE(SESSION_ID, 40);
    message.fill(0, 48, 64);
    const { signature = 'right' } = reply;
    const signer = signature === 'wrong' ? createSigner('aes-gmac', Buffer.alloc(16, 9)) : signature === 'right' ? state.signer : undefined;
    signer?.sign([message]);
    if (asked.readUInt16LE(12) <= COMMAND.sessionSetup) state.hash = extendPreauthHash(state.hash, message);
    reply.tamper?.(message);
    line.deliver(framed(message));
  };

  return { network: { connect } as Network, requests }; // the client uses nothing else of it
};

export const framed = (message: Buffer): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(message.byteLength);
  return Buffer.concat([head, message]);
};

const tokenIn = ({ body }: SmbRequest): Buffer => body.subarray(body.readUInt16LE(12) - 64).subarray(0, body.readUInt16LE(14));
const isSecondSetup = (request: SmbRequest): boolean => tokenIn(request).readUInt32LE(8) === 3;

const signerOf = (request: SmbRequest, preauthHash: Buffer): Signer => {
  const token = tokenIn(request);
  const field = (index: number) => token.subarray(token.readUInt32LE(16 + index * 8)).subarray(0, token.readUInt16LE(12 + index * 8));
  const hmac = (key: Buffer, text: Buffer) => createHmac('md5', key).update(text).digest();
  const base = hmac(ntowfv2({ user: 'user', domain: '', password: 'pw' }), field(1).subarray(0, 16));
  const sessionKey = rc4(base, field(5));
  return createSigner('aes-gmac', sessionKeys({ dialect: 0x0311, sessionKey, cipher: undefined, preauthHash }).signing);
};

/** A body that begins with its structure size. */
export const bodyWith = (structureSize: number, bytes: number, fill: (body: Buffer) => void = () => {}): Buffer => {
  const body = Buffer.alloc(bytes);
  body.writeUInt16LE(structureSize, 0);
  fill(body);
  return body;
};

const context = (type: number, data: Buffer): Buffer => {
  const bytes = Buffer.alloc(8 + Math.ceil(data.byteLength / 8) * 8);
  bytes.writeUInt16LE(type, 0);
  bytes.writeUInt16LE(data.byteLength, 2);
  data.copy(bytes, 8);
  return bytes;
};

const negotiated = (): Buffer => {
  const contexts = [context(1, Buffer.from([1, 0, 4, 0, 1, 0, 1, 2, 3, 4])), context(8, Buffer.from([1, 0, 2, 0]))];
  const body = bodyWith(65, 64, (fixed) => {
    fixed.writeUInt16LE(1, 2);
    fixed.writeUInt16LE(0x0311, 4);
    fixed.writeUInt16LE(contexts.length, 6);
    fixed.writeUInt32LE(4, 24);
    for (const at of [28, 32, 36]) fixed.writeUInt32LE(0x10_0000, at);
    fixed.writeUInt16LE(128, 56);
    fixed.writeUInt32LE(128, 60);
  });
  return Buffer.concat([body, ...contexts]);
};

const challenge = (): Buffer => {
  const info = Buffer.from('02000200410007000800010203040506070800000000', 'hex');
  const token = Buffer.alloc(48);
  token.write('NTLMSSP\0', 'latin1');
  token.writeUInt32LE(2, 8);
  token.writeUInt32LE(0xe28a_8215, 20);
  token.writeUInt16LE(info.byteLength, 40);
  token.writeUInt32LE(48, 44);
  return Buffer.concat([token, info]);
};

const setUp = (token: Buffer, flags = 0): Buffer =>
  Buffer.concat([
    bodyWith(9, 8, (body) => {
      body.writeUInt16LE(flags, 2);
      body.writeUInt16LE(72, 4);
      body.writeUInt16LE(token.byteLength, 6);
    }),
    token,
  ]);

const CREATED = bodyWith(89, 88, (body) => {
  body.writeBigUInt64LE(132_000_000_000_000_000n, 24);
  body.writeUInt32LE(FAKE_CONTENT.byteLength, 48);
  body.writeUInt32LE(0x80, 56);
  body.fill(7, 64, 80);
});

const closed = (): Buffer => {
  const body = bodyWith(60, 60);
  CREATED.copy(body, 8, 8, 64);
  return body;
};

/** Output behind a head of eight bytes, as several commands answer. */
export const outputBody = (output: Buffer): Buffer =>
  Buffer.concat([
    bodyWith(9, 8, (body) => {
      body.writeUInt16LE(72, 2);
      body.writeUInt32LE(output.byteLength, 4);
    }),
    output,
  ]);

/** An entry of a list; `next` is where the following one begins. */
export const listEntry = (name: string, { next = 0, attributes = 0x80, tag = 0 } = {}): Buffer => {
  const encoded = Buffer.from(name, 'utf16le');
  const entry = Buffer.alloc(104 + encoded.byteLength);
  entry.writeUInt32LE(next, 0);
  entry.writeUInt32LE(attributes, 56);
  entry.writeUInt32LE(encoded.byteLength, 60);
  entry.writeUInt32LE(tag, 64);
  encoded.copy(entry, 104);
  return entry;
};

const readData = ({ body }: SmbRequest): SmbReply => {
  const data = FAKE_CONTENT.subarray(body.readUInt32LE(8), body.readUInt32LE(8) + body.readUInt32LE(4));
  if (data.byteLength === 0) return { status: 0xc000_0011, body: bodyWith(9, 9) };
  const head = bodyWith(17, 16, (fixed) => {
    fixed.writeUInt8(80, 2);
    fixed.writeUInt32LE(data.byteLength, 4);
  });
  return { body: Buffer.concat([head, data]) };
};

/** What a server should say. */
export const usualReply = (request: SmbRequest): SmbReply => {
  const { command, body, nth } = request;
  switch (command) {
    case COMMAND.negotiate:
      return { body: negotiated() };
    case COMMAND.sessionSetup:
      return isSecondSetup(request) ? { body: setUp(Buffer.alloc(0)) } : { status: 0xc000_0016, body: setUp(challenge()) };
    case COMMAND.treeConnect:
      return { body: bodyWith(16, 16, (fixed) => fixed.writeUInt8(1, 2)) };
    case COMMAND.create:
      return { body: CREATED };
    case COMMAND.close:
      return { body: closed() };
    case COMMAND.read:
      return readData(request);
    case COMMAND.write:
      return { body: bodyWith(17, 16, (fixed) => fixed.writeUInt32LE(body.readUInt32LE(4), 4)) };
    case COMMAND.queryInfo:
      return { body: outputBody(Buffer.alloc(8)) };
    case COMMAND.queryDirectory:
      return nth % 2 === 0 ? { body: outputBody(listEntry('a.txt')) } : { status: 0x8000_0006, body: bodyWith(9, 9) };
    case COMMAND.setInfo:
      return { body: bodyWith(2, 2) };
    default:
      return { body: bodyWith(4, 4) };
  }
};

/** The server's end of a line. */
interface FakeLine {
  deliver(bytes: Buffer): void;
  end(): void;
}

/** A socket without a system behind it: what the client writes is put together to frames, what the server says goes where the client reads. */
const openFakeSocket = (onread: OnReadOpts, onFrame: (frame: Buffer, line: FakeLine) => void): Socket => {
  const events = new EventEmitter();
  let held = Buffer.alloc(0);
  let isOver = false;
  const line: FakeLine = {
    deliver(bytes) {
      queueMicrotask(() => {
        for (let at = 0; at < bytes.byteLength && !isOver; ) {
          const target = typeof onread.buffer === 'function' ? onread.buffer() : onread.buffer;
          const taken = bytes.copy(target, 0, at);
          at += taken;
          onread.callback(taken, target);
        }
      });
    },
    end: () => queueMicrotask(() => events.emit('end')),
  };
  const socket = Object.assign(events, {
    ref() {},
    unref() {},
    cork() {},
    uncork() {},
    destroy() {
      isOver = true;
    },
    write(piece: Buffer, done?: () => void) {
      held = Buffer.concat([held, piece]);
      while (held.byteLength >= 4 && held.byteLength >= 4 + held.readUInt32BE(0)) {
        const frame = held.subarray(4, 4 + held.readUInt32BE(0));
        held = held.subarray(4 + frame.byteLength);
        onFrame(frame, line);
      }
      if (done !== undefined) queueMicrotask(done);
      return true;
    },
  });
  return socket as unknown as Socket; // everything that the client uses of one
};
