import type { Masker } from '../../access/mask.ts';
import { FileAutomationException, NotificationException, SecretException, UrlValidationException } from '../../core/errors.ts';
import type { SinkTable } from '../../core/ports/notify.ts';
import type { Clock } from '../../core/ports.ts';
import type { Network } from '../../lib/net/network.ts';
import { whyRefused } from '../../lib/net/refusal.ts';
import type { Message } from './message.ts';
import { deliver } from './sinks/deliver.ts';

/** What came of handing a message to a sink. */
export type Attempted =
  | { readonly isSent: true }
  | {
      readonly isSent: false;
      /** Masked. */
      readonly error: string;
      /** Another attempt would end the same way. */
      readonly isFinal: boolean;
      /** How long the sink wants to be left alone; 0 where it did not say. */
      readonly retryAfterMs: number;
    };

/** Hands a message to a sink once; a fault of the sink is an answer. */
export type Attempt = (sink: SinkTable, message: Message) => Promise<Attempted>;

export interface AttemptParts {
  readonly network: Network;
  readonly clock: Clock;
  readonly masker: Pick<Masker, 'text'>;
  /** Ends what is under way when the service stops. */
  readonly stopping: AbortSignal;
  /** The sink with its references replaced by what they stand for now. */
  resolve(sink: SinkTable): Promise<SinkTable>;
}

export const createAttempt =
  ({ network, clock, masker, stopping, resolve }: AttemptParts): Attempt =>
  async (sink, message) => {
    const late = AbortSignal.timeout(sink.timeout * 1000);
    const signal = AbortSignal.any([late, stopping]);
    try {
      await deliver(await resolve(sink), message, { network, now: clock.now(), signal });
      return { isSent: true };
    } catch (caught) {
      const fault = late.aborted ? tooSlow(sink) : caught;
      const text = fault instanceof UrlValidationException ? refusalText(fault) : fault instanceof Error ? fault.message : String(fault);
      const retryAfter = fault instanceof FileAutomationException ? fault.context.retry_after_s : undefined;
      return {
        isSent: false,
        error: masker.text(text),
        // What is not understood may pass, and a missing secret may be put where it belongs.
        isFinal: fault instanceof FileAutomationException && !fault.retryable && !(fault instanceof SecretException),
        retryAfterMs: typeof retryAfter === 'number' ? retryAfter * 1000 : 0,
      };
    }
  };

/** The address of a sink is a secret, so its refusal names the host only. */
export const refusalText = (fault: UrlValidationException): string => {
  const { host } = fault.context;
  return `Its address${host === undefined ? '' : ` at ${String(host)}`} is refused: ${whyRefused(fault)}.`;
};

const tooSlow = ({ name, timeout }: SinkTable) =>
  new NotificationException(`The sink ${name} did not take the message within ${timeout} s.`, { context: { sink: name }, retryable: true });
