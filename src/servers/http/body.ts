import type { Caller } from '../../access/caller.ts';
import type { Limits } from '../limits.ts';
import type { Turnstile } from '../turnstile.ts';
import { tooLarge } from './head.ts';
import type { Overdue, Watched } from './overdue.ts';
import { Refused } from './refuse.ts';
import type { BodySink, HttpRequest } from './request.ts';
import { shareUsedUp } from './routes/turn.ts';

/** The body as a whole. Too many bytes, a pause that is too long and a client that went away end it at once. */
export const readBody = (request: HttpRequest, caller: Caller, rules: BodyRules): Promise<Buffer> =>
  new Promise((resolve, reject) => request.handOver(new WholeBody(request, caller, { rules, resolve, reject })));

/** What a door reads bodies by. */
export interface BodyRules {
  readonly limits: Limits;
  readonly overdue: Overdue;
  readonly turnstile: Pick<Turnstile, 'hold' | 'release'>;
}

interface WholeBodyParts {
  readonly rules: BodyRules;
  readonly resolve: (body: Buffer) => void;
  readonly reject: (fault: Refused) => void;
}

/** One object for each body instead of many functions: this is done for every list. */
class WholeBody implements BodySink, Watched {
  dueMs = 0;
  place = -1;
  readonly #request: HttpRequest;
  readonly #caller: Caller;
  readonly #parts: WholeBodyParts;
  readonly #endMs: number;
  #pieces: Pieces | undefined;
  #only: Buffer | undefined;
  #length = 0;
  #heldBytes = 0;
  #isSettled = false;

  constructor(request: HttpRequest, caller: Caller, parts: WholeBodyParts) {
    this.#request = request;
    this.#caller = caller;
    this.#parts = parts;
    const now = performance.now();
    this.#endMs = now + parts.rules.limits.bodyTimeoutS * 1000;
    this.#wait(now);
    parts.rules.overdue.watch(this);
  }

  take(chunk: Buffer): boolean {
    if (this.#isSettled) return false;
    const { bodyBytes } = this.#parts.rules.limits;
    this.#length += chunk.length;
    if (this.#length > bodyBytes) this.#fail(tooLarge(bodyBytes));
    else if (this.#pieces === undefined && this.#length === Number(this.#request.fields.contentLength ?? -1)) this.#only = chunk;
    else if (!this.#hold(chunk.length)) this.#fail(shareUsedUp('maxHeldBytes'));
    else {
      this.#pieces ??= gatherPieces();
      this.#pieces.add(chunk);
      this.#wait(performance.now());
    }
    return !this.#isSettled;
  }

  end(): void {
    if (this.#isSettled) return;
    this.#settle();
    this.#parts.resolve(this.#only ?? this.#pieces?.join() ?? Buffer.alloc(0));
  }

  gone(): void {
    if (!this.#isSettled) this.#fail(new Refused(400, 'cut-body', 'The connection was closed before the body was complete.'));
  }

  late(): void {
    const { bodyTimeoutS } = this.#parts.rules.limits;
    this.#fail(new Refused(408, 'slow-body', `The body came too slowly; send it within ${bodyTimeoutS} s, without long pauses.`));
  }

  #wait(now: number): void {
    this.dueMs = Math.min(now + this.#parts.rules.limits.bodyIdleTimeoutS * 1000, this.#endMs);
  }

  /** A body that comes in pieces may take long, and waits in memory until then. */
  #hold(bytes: number): boolean {
    if (!this.#parts.rules.turnstile.hold(this.#caller, bytes)) return false;
    this.#heldBytes += bytes;
    return true;
  }

  #settle(): void {
    const { turnstile, overdue } = this.#parts.rules;
    this.#isSettled = true;
    overdue.forget(this);
    if (this.#heldBytes > 0) turnstile.release(this.#caller, this.#heldBytes);
  }

  #fail(fault: Refused): void {
    this.#settle();
    this.#request.pause();
    this.#parts.reject(fault);
  }
}

/** A byte that comes alone holds the whole block it was read into, so small chunks are copied together. */
interface Pieces {
  add(chunk: Buffer): void;
  join(): Buffer;
}

const BLOCK_BYTES = 64 * 1024;

const gatherPieces = (): Pieces => {
  const blocks: Buffer[] = [];
  let block = Buffer.alloc(0);
  let used = 0;
  const flush = () => {
    if (used > 0) blocks.push(block.subarray(0, used));
    used = 0;
  };
  return {
    add(chunk) {
      if (used + chunk.length > block.length) {
        flush();
        block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, chunk.length));
      }
      used += chunk.copy(block, used);
    },
    join() {
      flush();
      return Buffer.concat(blocks);
    },
  };
};
