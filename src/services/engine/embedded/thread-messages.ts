import type { FaultMessage } from '../../../lib/workers/messages.ts';
import type { Call } from './calls.ts';
import type { ExitGate } from './exit-gate.ts';
import type { SessionOptions } from './session.ts';

/** What the writer's thread starts with. */
export interface WriterStart {
  readonly options: SessionOptions;
  readonly gate: ExitGate;
}

/** What the writer's thread is told. */
export type ToWriter = { readonly kind: 'calls'; readonly calls: readonly NumberedCall[] } | { readonly kind: 'close' };

export interface NumberedCall {
  readonly id: number;
  readonly call: Call;
}

/** What it says; the first message tells how opening went, the last one how closing did. */
export type FromWriter =
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused'; readonly fault: FaultMessage }
  | { readonly kind: 'answers'; readonly answers: readonly NumberedAnswer[] }
  | { readonly kind: 'closed'; readonly fault?: FaultMessage };

export type NumberedAnswer = { readonly id: number } & ({ readonly value: unknown } | { readonly fault: FaultMessage });
