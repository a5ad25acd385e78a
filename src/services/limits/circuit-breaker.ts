import { CancelledException, CircuitOpenException } from '../../core/errors.ts';
import type { BreakerRule, CircuitState, FaultVerdict, Limits } from '../../core/ports/limits.ts';
import type { Clock, Log, Meters } from '../../core/ports.ts';
import type { States } from '../engine/port/shelves.ts';
import { createKept } from './kept.ts';
import { createTurns } from './turns.ts';

/** What is kept of a breaker that is not as good as new. */
type Circuit = {
  readonly state: CircuitState;
  /** In a row. */
  readonly failures: number;
  /** From when on one call may try; while a trial is under way, when another may if nothing is heard of the first. */
  readonly retryAt: number;
  readonly recoveryMs: number;
};

export interface CircuitBreakers extends Pick<Limits, 'throughBreaker' | 'circuitState' | 'resetCircuit'> {
  list(): Promise<
    readonly { readonly kind: 'circuit_breaker'; readonly name: string; readonly state: CircuitState; readonly failures: number }[]
  >;
}

export interface CircuitBreakersParts {
  /** Where the state is kept; undefined: in memory only. */
  states(): States | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly meters: Pick<Meters, 'breakerChanged'>;
}

/** A call that was let in. What comes of it counts only while the breaker is in the state in which it came. */
interface Admission {
  readonly isTrial: boolean;
  readonly era: number;
}

const CLOSED: Circuit = { state: 'closed', failures: 0, retryAt: 0, recoveryMs: 0 };

/** Breakers by name: closed, open after failures in a row, half open while a single call tries whether it works again. */
export const createCircuitBreakers = ({ states, clock, log, meters }: CircuitBreakersParts): CircuitBreakers => {
  const kept = createKept<Circuit>({ kind: 'circuit_breaker', states, log });
  const inTurn = createTurns();
  /** How often the state of a breaker changed in this process. */
  const eras = new Map<string, number>();
  const trials = new Set<string>();

  const eraOf = (name: string): number => eras.get(name) ?? 0;
  const read = async (name: string): Promise<Circuit> => (await kept.get(name)) ?? CLOSED;

  const write = async (name: string, before: CircuitState, circuit: Circuit): Promise<void> => {
    if (circuit.state !== before) {
      eras.set(name, eraOf(name) + 1);
      log(circuit.state === 'open' ? 'warn' : 'info', `The breaker ${name} is ${WORDS[circuit.state]}.`, { breaker: name });
      meters.breakerChanged(name, circuit.state);
    }
    await kept.set(name, circuit.state === 'closed' && circuit.failures === 0 ? undefined : circuit);
  };

  const admit = async (name: string, rule: BreakerRule): Promise<Admission> => {
    const circuit = await read(name);
    const now = clock.now();
    if (circuit.state === 'closed') return { isTrial: false, era: eraOf(name) };
    const retryAt = retryTime(circuit, now);
    if (retryAt > now || trials.has(name)) throw isOpen(name, retryAt - now);
    const recoveryMs = rule.recoveryS * 1000;
    await write(name, 'open', { state: 'half_open', failures: circuit.failures, retryAt: now + recoveryMs, recoveryMs });
    trials.add(name);
    return { isTrial: true, era: eraOf(name) };
  };

  const settle = async (name: string, rule: BreakerRule, { isTrial, era }: Admission, verdict: FaultVerdict): Promise<void> => {
    if (isTrial) trials.delete(name);
    if (era !== eraOf(name)) return;
    const circuit = await read(name);
    const now = clock.now();
    const recoveryMs = rule.recoveryS * 1000;
    const failures = circuit.failures + 1;
    if (verdict === 'failure' && (isTrial || failures >= rule.failureThreshold)) {
      await write(name, circuit.state, { state: 'open', failures, retryAt: now + recoveryMs, recoveryMs });
    } else if (verdict === 'failure') {
      await write(name, circuit.state, { ...circuit, failures });
    } else if (verdict === 'success') {
      if (isTrial || circuit.failures > 0) await write(name, circuit.state, CLOSED);
    } else if (isTrial) {
      await write(name, circuit.state, { ...circuit, state: 'open', retryAt: now });
    }
  };

  const seen = (name: string, circuit: Circuit): CircuitState => {
    if (circuit.state === 'closed' || trials.has(name)) return circuit.state;
    return retryTime(circuit, clock.now()) <= clock.now() ? 'half_open' : circuit.state;
  };

  return {
    async throughBreaker(name, rule, work, judge = judgeFault) {
      const admission = await inTurn(name, () => admit(name, rule));
      const end = (verdict: FaultVerdict) => inTurn(name, () => settle(name, rule, admission, verdict));
      try {
        const value = await work();
        await end('success');
        return value;
      } catch (fault) {
        await end(judge(fault));
        throw fault;
      }
    },
    circuitState: async (name) => seen(name, await read(name)),
    resetCircuit: (name) =>
      inTurn(name, async () => {
        const { state } = await read(name);
        trials.delete(name);
        await write(name, state, CLOSED);
      }),
    list: async () =>
      (await kept.list()).map(([name, circuit]) => ({
        kind: 'circuit_breaker',
        name,
        state: seen(name, circuit),
        failures: circuit.failures,
      })),
  };
};

const WORDS = { closed: 'closed: calls go through', open: 'open: calls are refused', half_open: 'half open: one call tries' } as const;

/** Being cancelled says nothing about what is behind the breaker. */
const judgeFault = (fault: unknown): FaultVerdict =>
  fault instanceof CancelledException || (fault instanceof Error && fault.name === 'AbortError') ? 'unknown' : 'failure';

/** Never further off than the whole recovery time, should the clock have been set back. */
const retryTime = ({ retryAt, recoveryMs }: Circuit, now: number): number => Math.min(retryAt, now + recoveryMs);

const isOpen = (name: string, waitMs: number) =>
  new CircuitOpenException(`The breaker ${JSON.stringify(name)} is open after repeated failures; try again in ${seconds(waitMs)} s.`, {
    context: { name, retry_after_s: seconds(waitMs) },
  });

const seconds = (ms: number): number => Math.ceil(Math.max(0, ms)) / 1000;
