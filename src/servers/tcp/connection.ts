import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Caller } from '../../access/caller.ts';
import type { Gate } from '../../access/gate.ts';
import type { Doorway } from '../door.ts';
import { SHARE_WAITS } from '../turnstile.ts';
import { answerTo, errorLine } from './answer.ts';
import { createFramer } from './framer.ts';
import { createInlet } from './inlet.ts';
import { createOutlet } from './outlet.ts';
import { listCutShort, listTooSlow, mustWait, secretMissing, secretWrong, tooManyWrongSecrets } from './refusals.ts';

/** A client that is being served. */
export interface Connection {
  /** How long nothing of a list and no answer has been on its way; 0 while something is. */
  readonly idleMs: number;
  /** Who may send lists: it has shown its secret, or needs none. */
  readonly caller: Caller | undefined;
  /** Takes no more lists; the one under way is finished and answered. */
  stop(): void;
}

/** Cheap lists run without a pause; after this time others have their turn. */
const TURN_MS = 8;
/** A client that was told goodbye has this long to close its side before we do; closing at once could lose it our last line. */
const LINGER_MS = 1_000;
/** What a stopping service gives a client to take its answers. */
const STOP_PATIENCE_MS = 500;

/** Serves one client: lists run one after another, answers go back in that order. `settle` tells whether a caller may have one more. */
export const serveConnection = (socket: Socket, doorway: Doorway, settle: (caller: Caller) => boolean): Connection => {
  const { gate, limits, turnstile } = doorway;
  const address = socket.remoteAddress ?? '';
  const inlet = createInlet(socket);
  const outlet = createOutlet(socket);
  const framer = createFramer({ locked: gate.locked, maxBytes: limits.bodyBytes, maxDepth: limits.jsonDepth });
  const connectedMs = performance.now();
  let caller = gate.locked ? undefined : admit(gate, undefined, address);
  let listBegunMs: number | undefined;
  let turnBegunMs = connectedMs;
  let idleSinceMs: number | undefined = connectedMs;
  let heldBytes = 0;
  let isRunning = false;
  let isStopped = false;

  const serve = async (): Promise<void> => {
    for (;;) {
      const piece = framer.next();
      if (piece === undefined) {
        if (!(await readOn())) return;
        continue;
      }
      listBegunMs = undefined;
      release();
      if (isStopped) throw mustWait(STOPPING);
      if (piece.kind === 'auth') {
        const admitted = admit(gate, piece.secret, address);
        if (!settle(admitted)) throw mustWait(SHARE_WAITS.maxInFlight);
        caller = admitted;
        idleSinceMs = undefined;
        framer.unlock();
      } else if (caller === undefined) throw secretMissing();
      else if (!(await respond(piece.bytes, standing(caller)))) return;
    }
  };

  /** A connection may outlive the secret it came with. */
  const standing = (admitted: Caller): Caller => {
    if (gate.standing === undefined) return admitted;
    const now = gate.standing(admitted);
    if (now === undefined) throw secretWrong();
    return now;
  };

  /** False where this was the last list of the connection. */
  const respond = async (bytes: Buffer, from: Caller): Promise<boolean> => {
    const wait = turnstile.enter(from);
    if (wait !== undefined) {
      outlet.push(errorLine(mustWait(wait), doorway));
      return taken();
    }
    try {
      isRunning = true;
      const { line, isLast } = await answerTo(bytes, from, doorway);
      isRunning = false;
      if (isStopped) destroyAfter(socket, STOP_PATIENCE_MS);
      if (typeof line !== 'string') return (await sendPieces(line)) && !isLast;
      outlet.push(line);
      return (isTakenAtOnce() || (await taken())) && !isLast;
    } finally {
      turnstile.leave(from); // a caller that takes no answers gets no more of them
    }
  };

  /** False where nobody takes it. */
  const sendPieces = async (line: Iterable<string>): Promise<boolean> => {
    for (const piece of line) {
      outlet.pushPart(piece);
      if (!(await taken())) return false;
    }
    outlet.push('');
    return taken();
  };

  /** Mostly so: then nothing is waited for, which would cost as much as a short list. */
  const isTakenAtOnce = (): boolean => !outlet.isFull && !socket.destroyed && performance.now() - turnBegunMs <= TURN_MS;

  const taken = async (): Promise<boolean> => {
    if (outlet.isFull && !(await outlet.taken(limits.tcpIdleS * 1000))) socket.destroy(); // nobody listens to a goodbye either
    if (socket.destroyed) return false;
    if (performance.now() - turnBegunMs > TURN_MS) {
      await setImmediate();
      turnBegunMs = performance.now();
    }
    return true;
  };

  /** Waits for bytes; false where the client has said everything. */
  const readOn = async (): Promise<boolean> => {
    outlet.flush();
    if (framer.isInside) listBegunMs ??= performance.now();
    else if (caller !== undefined) idleSinceMs = performance.now();
    const chunk = await inlet.next(patienceMs());
    turnBegunMs = performance.now();
    if (caller !== undefined) idleSinceMs = undefined;
    if (chunk instanceof Buffer) {
      hold(chunk.length);
      framer.feed(chunk);
      return true;
    }
    release();
    if (isStopped && framer.isInside) throw mustWait(STOPPING);
    if (caller === undefined && (framer.isInside || chunk === 'late')) throw secretMissing();
    if (framer.isInside) throw chunk === 'late' ? listTooSlow() : listCutShort();
    return false;
  };

  /** What has come of a list waits in memory until the rest has. */
  const hold = (bytes: number): void => {
    if (caller === undefined || !framer.isInside) return;
    if (!turnstile.hold(caller, bytes)) throw mustWait(SHARE_WAITS.maxHeldBytes);
    heldBytes += bytes;
  };
  const release = (): void => {
    if (caller !== undefined && heldBytes > 0) turnstile.release(caller, heldBytes);
    heldBytes = 0;
  };

  const patienceMs = (): number => {
    const { headersTimeoutS, bodyIdleTimeoutS, bodyTimeoutS, tcpIdleS } = limits;
    const now = performance.now();
    if (caller === undefined) return connectedMs + headersTimeoutS * 1000 - now;
    if (listBegunMs === undefined) return tcpIdleS * 1000;
    return Math.min(bodyIdleTimeoutS * 1000, listBegunMs + bodyTimeoutS * 1000 - now);
  };

  const finish = async (): Promise<void> => {
    release();
    inlet.discard();
    const isTold = await outlet.end(isStopped ? STOP_PATIENCE_MS : limits.tcpIdleS * 1000);
    if (!isTold || socket.destroyed) socket.destroy();
    else destroyAfter(socket, LINGER_MS);
  };

  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy()); // the client went away; what runs for it goes on
  void serve()
    .catch((fault: unknown) => outlet.push(errorLine(fault, doorway)))
    .then(finish);
  return {
    get idleMs() {
      return idleSinceMs === undefined || socket.writableLength > 0 ? 0 : performance.now() - idleSinceMs;
    },
    get caller() {
      return caller;
    },
    stop() {
      isStopped = true;
      inlet.stop();
      if (!isRunning) destroyAfter(socket, STOP_PATIENCE_MS);
    },
  };
};

const STOPPING = { reason: 'draining', retryAfterS: 5 } as const;

/** The caller behind a secret; throws where there is none. */
const admit = (gate: Gate, secret: string | undefined, address: string): Caller => {
  const admission = gate.identify(secret, address);
  if ('caller' in admission) return admission.caller;
  switch (admission.refused) {
    case 'missing':
      throw secretMissing();
    case 'wrong':
      throw secretWrong();
    case 'too-many':
      throw tooManyWrongSecrets(admission.retryAfterS);
  }
};

const destroyAfter = (socket: Socket, ms: number): void => {
  const patience = setTimeout(() => socket.destroy(), ms);
  socket.once('close', () => clearTimeout(patience));
};
