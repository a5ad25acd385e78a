import { CancelledException, CircuitOpenException } from '../../core/errors.ts';
import type { BreakerRule, CircuitState, FaultVerdict, Limits } from '../../core/ports/limits.ts';
import type { Clock, Log } from '../../core/ports.ts';
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
  /** When it last changed. */
  readonly at: number;
};

/** What was not used for so long is as good as new. */
const FORGOTTEN_MS = 30 * 86_400_000;
/** After so many changes the forgotten ones are looked for. */
const SWEEP_AFTER = 1_000;

export interface CircuitBreakers extends Pick<Limits, 'throughBreaker' | 'circuitState' | 'resetCircuit'> {
  list(): Promise<
    readonly { readonly kind: 'circuit_breaker'; readonly name: string; readonly state: CircuitState; readonly failures: number }[]
  >;
}

export interface CircuitBreakersParts {
  /** Where the state is kept; undefined: in memory only. */
  states(): Promise<States | undefined>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A call that was let in. What comes of it counts only while the breaker is in the state in which it came. */
interface Admission {
  readonly isTrial: boolean;
  readonly era: number;
}

const CLOSED: Circuit = { state: 'closed', failures: 0, retryAt: 0, recoveryMs: 0, at: 0 };

/** Breakers by name: closed, open after failures in a row, half open while a single call tries whether it works again. */
export const createCircuitBreakers = ({ states, clock, log }: CircuitBreakersParts): CircuitBreakers => {
  const kept = createKept<Circuit>({ kind: 'circuit_breaker', states, log });
  const inTurn = createTurns();
  /** How often the state of a breaker changed in this process. */
  const eras = new Map<string, number>();
  const trials = new Set<string>();
  let changesUntilSweep = SWEEP_AFTER;

  const eraOf = (name: string): number => eras.get(name) ?? 0;
  const read = async (name: string): Promise<Circuit> => (await kept.get(name)) ?? CLOSED;

  /** Changes a breaker, again from the start where another process was faster; `decide` gives undefined to leave it as it is. */
  const change = async (name: string, decide: (circuit: Circuit) => Circuit | undefined): Promise<void> => {
    for (;;) {
      const before = await kept.get(name);
      const circuit = decide(before ?? CLOSED);
      if (circuit === undefined) return;
      const after = circuit.state === 'closed' && circuit.failures === 0 ? undefined : { ...circuit, at: clock.now() };
      if (!(await kept.swap(name, before, after))) continue;
      if (circuit.state !== (before ?? CLOSED).state) tell(name, circuit.state);
      changesUntilSweep -= 1;
      if (changesUntilSweep <= 0) await sweep();
      return;
    }
  };

  /** Names may be made of paths or dates, and those that fail once would stay for ever. */
  const sweep = async (): Promise<void> => {
    changesUntilSweep = SWEEP_AFTER;
    const oldest = clock.now() - FORGOTTEN_MS;
    for (const [name, circuit] of await kept.list())
      if (circuit.at < oldest && (await kept.swap(name, circuit, undefined))) eras.delete(name);
  };

  const tell = (name: string, state: CircuitState): void => {
    eras.set(name, eraOf(name) + 1);
    log(state === 'open' ? 'warn' : 'info', `The breaker ${name} is ${WORDS[state]}.`, { breaker: name });
  };

  const admit = async (name: string, rule: BreakerRule): Promise<Admission> => {
    let isTrial = false;
    await change(name, (circuit) => {
      isTrial = circuit.state !== 'closed';
      if (!isTrial) return undefined;
      const now = clock.now();
      const retryAt = retryTime(circuit, now);
      if (retryAt > now || trials.has(name)) throw isOpen(name, retryAt - now);
      const recoveryMs = rule.recoveryS * 1000;
      return { ...circuit, state: 'half_open', retryAt: now + recoveryMs, recoveryMs };
    });
    if (isTrial) trials.add(name);
    return { isTrial, era: eraOf(name) };
  };

  const settle = async (name: string, rule: BreakerRule, { isTrial, era }: Admission, verdict: FaultVerdict): Promise<void> => {
    if (isTrial) trials.delete(name);
    if (era !== eraOf(name)) return;
    await change(name, (circuit) => {
      const now = clock.now();
      const recoveryMs = rule.recoveryS * 1000;
      const failures = circuit.failures + 1;
      if (verdict === 'failure' && (isTrial || failures >= rule.failureThreshold))
        return { ...circuit, state: 'open', failures, retryAt: now + recoveryMs, recoveryMs };
      if (verdict === 'failure') return { ...circuit, failures };
      if (verdict === 'success') return isTrial || circuit.failures > 0 ? CLOSED : undefined;
      return isTrial ? { ...circuit, state: 'open', retryAt: now } : undefined;
    });
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
        trials.delete(name);
        await change(name, () => CLOSED);
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
