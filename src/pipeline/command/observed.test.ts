import { describe, expect, test } from 'vitest';
import { waitingActions } from '../../../test/support/waiting-actions.ts';
import { OWNER } from '../../access/caller.ts';
import { createInstance } from '../../app/create.ts';
import type { CommandObserver } from '../../core/ports/commands.ts';
import type { Outcome } from '../../core/result.ts';

/** Runs a list before the eyes of an observer; answers the result and what was seen, in order. */
const runObserved = async (request: unknown, given: Partial<CommandObserver> & { readonly signal?: AbortSignal } = {}) => {
  await using factotum = createInstance({ log: { level: 'silent' } });
  const waiting = waitingActions();
  const called: string[] = [];
  factotum.registry.registerMany({ ...waiting.actions, FA_t_note: (name: string) => called.push(name) });
  waiting.release('x');
  const seen: string[] = [];
  const { signal = new AbortController().signal, ...over } = given;
  const commands: CommandObserver = {
    known: over.known ?? (() => undefined),
    started(command) {
      seen.push(`started ${command.index} ${command.action} ${command.isIdempotent}`);
      return over.started?.(command);
    },
    ended: ({ index, status }) => void seen.push(`ended ${index} ${status}`),
  };
  const result = await factotum.gateway.run(request, { caller: OWNER, signal, commands });
  return { result, seen, called };
};

const done: Outcome = { index: 0, action: 'FA_t_note', status: 'ok', value: 'kept', duration_ms: 1 };

describe('an observer of commands', () => {
  test('hears of every command before and after it, and whether it may be repeated', async () => {
    const { seen } = await runObserved([['FA_progress_list'], ['FA_no_such_thing'], ['FA_t_note', ['a']]]);
    expect(seen).toEqual([
      'started 0 FA_progress_list true',
      'ended 0 ok',
      'started 1 FA_no_such_thing false',
      'ended 1 failed',
      'started 2 FA_t_note false',
      'ended 2 ok',
    ]);
  });

  test('hears of the list itself, not of lists inside it', async () => {
    const { seen } = await runObserved([['FA_execute_action', { action_list: [['FA_t_note', ['a']]] }]]);
    expect(seen).toEqual(['started 0 FA_execute_action false', 'ended 0 ok']);
  });

  test('hears nothing of a dry run, nor of the rehearsal of an approved plan', async () => {
    const list = { actions: [['FA_progress_list']] };
    const { result, seen } = await runObserved({ ...list, dry_run: true });
    expect(seen).toEqual([]);
    expect((await runObserved({ ...list, expect_plan: result.plan_hash })).seen).toHaveLength(2);
  });

  test('is waited for before the command takes effect', async () => {
    const order: string[] = [];
    const { called } = await runObserved([['FA_t_note', ['a']]], {
      async started() {
        await new Promise(setImmediate);
        order.push('known');
      },
    });
    expect([...order, ...called]).toEqual(['known', 'a']);
  });

  test('that rejects keeps the command from its effect', async () => {
    const { result, called } = await runObserved([['FA_t_note', ['a']]], { started: () => Promise.reject(new Error('no')) });
    expect(result.results[0]?.status).toBe('failed');
    expect(called).toEqual([]);
  });

  test('may take so long that the run is stopped meanwhile; the command is not run then', async () => {
    const stopping = new AbortController();
    const { result, called } = await runObserved([['FA_t_note', ['a']]], {
      signal: stopping.signal,
      started: async () => stopping.abort(),
    });
    expect(result.results[0]).toMatchObject({ status: 'cancelled', reason: expect.stringContaining('before this command started') });
    expect(called).toEqual([]);
  });
});

describe('a command that is known', () => {
  test('is not run; its outcome stands in its place and its value can be referred to', async () => {
    const known = (index: number) => (index === 0 ? { ...done, status: 'reused' as const } : undefined);
    const { result, called, seen } = await runObserved(
      [
        ['FA_t_note', ['a']],
        ['FA_t_note', ['${results[0].value}']],
      ],
      { known },
    );
    expect(called).toEqual(['kept']);
    expect(result.counts).toMatchObject({ reused: 1, ok: 1 });
    expect(seen).toEqual(['started 1 FA_t_note false', 'ended 1 ok']);
  });

  test('to have failed holds back what waits for it', async () => {
    const known = (index: number): Outcome | undefined => (index === 0 ? { ...done, id: 'a', status: 'failed' } : undefined);
    const nodes = [
      { id: 'a', action: ['FA_t_note', ['a']] },
      { id: 'b', action: ['FA_t_note', ['b']], depends_on: ['a'] },
    ];
    const { result, called } = await runObserved({ nodes }, { known });
    expect(result.results.map(({ status }) => status)).toEqual(['failed', 'skipped']);
    expect(called).toEqual([]);
  });

  test('without its value cannot be referred to', async () => {
    const known = (index: number): Outcome | undefined =>
      index === 0 ? { index, action: 'FA_t_note', status: 'reused', duration_ms: 0 } : undefined;
    const { result, called } = await runObserved(
      [
        ['FA_t_note', ['a']],
        ['FA_t_note', ['${results[0].value}']],
      ],
      { known },
    );
    expect(result.results[1]?.error).toMatchObject({ type: 'SubstitutionException', message: expect.stringContaining('not kept') });
    expect(called).toEqual([]);
  });
});
