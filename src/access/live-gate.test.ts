import { describe, expect, test } from 'vitest';
import type { Caller } from './caller.ts';
import { createLiveGate } from './live-gate.ts';

const caller = (name: string): Caller => ({ name, remote: true });
const gateOf = (...secrets: readonly string[]) => ({
  credentials: secrets.map((secret) => ({ secret, caller: caller(`holder of ${secret}`) })),
  stranger: caller('stranger'),
});
/** Whoever comes in with that secret, by name. */
const comesIn = (gate: ReturnType<typeof createLiveGate>, secret?: string) => {
  const admission = gate.identify(secret, '127.0.0.1');
  return 'caller' in admission ? admission.caller : undefined;
};

describe('a gate whose secrets are exchanged', () => {
  test('lets in who has a new secret and refuses who has an old one', () => {
    const gate = createLiveGate(gateOf('red', 'blue'));
    gate.replace(gateOf('blue', 'green'));
    expect(['red', 'blue', 'green'].map((secret) => comesIn(gate, secret)?.name)).toEqual([undefined, 'holder of blue', 'holder of green']);
  });

  test('knows who earlier callers are by now', () => {
    const gate = createLiveGate(gateOf('red', 'blue'));
    const [red, blue] = [comesIn(gate, 'red'), comesIn(gate, 'blue')];
    if (red === undefined || blue === undefined) throw new Error('both come in');
    expect(gate.standing(blue)).toBe(blue);
    gate.replace(gateOf('blue'));
    gate.replace(gateOf('blue', 'green'));
    expect(gate.standing(red)).toBeUndefined();
    expect(gate.standing(blue)).toBe(comesIn(gate, 'blue'));
    expect(gate.standing(caller('of another door'))).toEqual(caller('of another door'));
  });

  test('takes the same callers back', () => {
    const first = gateOf('red');
    const gate = createLiveGate(first);
    gate.replace(gateOf('blue'));
    gate.replace(first);
    expect(gate.standing(first.stranger)).toBe(first.stranger);
    expect(comesIn(gate, 'red')?.name).toBe('holder of red');
  });

  test('is locked by a first secret, for those who are inside too', () => {
    const gate = createLiveGate(gateOf());
    const stranger = comesIn(gate);
    if (stranger === undefined) throw new Error('everybody comes in');
    gate.replace(gateOf());
    expect(gate.standing(stranger)).toBe(comesIn(gate));
    gate.replace(gateOf('red'));
    expect(gate.locked).toBe(true);
    expect(comesIn(gate)).toBeUndefined();
    expect(gate.standing(stranger)).toBeUndefined();
  });

  test('stays locked when the last secret goes: then nobody comes in', () => {
    const gate = createLiveGate(gateOf('red'));
    gate.replace(gateOf());
    expect(gate.locked).toBe(true);
    expect(gate.identify(undefined, '127.0.0.1')).toEqual({ refused: 'missing' });
    expect(gate.identify('red', '127.0.0.1')).toEqual({ refused: 'wrong' });
    gate.replace(gateOf('blue'));
    expect(comesIn(gate, 'blue')?.name).toBe('holder of blue');
  });
});
