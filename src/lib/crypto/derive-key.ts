import { pbkdf2 } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { promisify } from 'node:util';
import { createTurns } from '../async/turns.ts';

const derive = promisify(pbkdf2);

/** One key at a time: the work cannot be stopped, and has threads that files and names of hosts wait for too. */
const turns = createTurns();

/** What a key is made of beside its password. */
export interface KeyDerivation {
  readonly iterations: number;
  readonly bits: number;
  /** Ends the wait; what was begun goes on unheard, and the next key waits for it. */
  readonly signal: AbortSignal;
}

/** A key from a password by PBKDF2-HMAC-SHA256; the same for the same password, salt, rounds and length. */
export const deriveKey = async (password: string, salt: Uint8Array, { iterations, bits, signal }: KeyDerivation): Promise<Buffer> => {
  const endTurn = await turns.take('key', signal);
  if (signal.aborted) endTurn();
  signal.throwIfAborted();
  const work = derive(password, salt, iterations, bits / 8, 'sha256').finally(endTurn);
  return untilStopped(work, signal);
};

const untilStopped = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    setMaxListeners(0, signal); // all commands of a run listen to one signal
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
