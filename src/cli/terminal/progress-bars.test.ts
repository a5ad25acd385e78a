import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgressRegistry } from '../../core/progress.ts';
import type { Cli } from '../cli.ts';
import { chooseColors } from './colors.ts';
import { progressLine, showProgress } from './progress-bars.ts';
import { chooseSymbols } from './symbols.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] }));
afterEach(() => void vi.useRealTimers());

const terminal = () => {
  const written: string[] = [];
  const output = {
    write: (text: string | Uint8Array) => void written.push(String(text)),
    line: (text = '') => void written.push(`${text}\n`),
    isTerminal: true,
    colors: chooseColors(false),
    setColor: () => {},
  };
  const cli: Cli = {
    version: '',
    env: {},
    out: output,
    err: output,
    symbols: chooseSymbols({}),
    debug: false,
    wants: { json: false, quiet: false },
  };
  return { cli, written };
};

test('a line says name, share, amount, rate and time left', () => {
  const registry = createProgressRegistry();
  const work = registry.create('copy a.iso', { total: 4_000_000 });
  work.advance(1_000_000);
  vi.advanceTimersByTime(2_000);
  const [snapshot] = registry.list();
  expect(snapshot && progressLine(snapshot, ['#', '.'])).toBe(
    'copy a.iso  #####...............  25 %  1.0 MB of 4.0 MB  500.0 kB/s  6.0 s left',
  );
});

test('work of unknown size has no bar', () => {
  const registry = createProgressRegistry();
  registry.create('walk', { unit: 'items' }).advance(1500);
  const [snapshot] = registry.list();
  expect(snapshot && progressLine(snapshot, ['#', '.'])).toBe('walk  1,500');
});

test('short work is never drawn', () => {
  const { cli, written } = terminal();
  const registry = createProgressRegistry();
  {
    using _bars = showProgress(cli, registry);
    registry.create('quick', { total: 1 });
    vi.advanceTimersByTime(250);
  }
  expect(written).toEqual([]);
});

test('bars are redrawn in place, at most five, and leave nothing behind', () => {
  const { cli, written } = terminal();
  const registry = createProgressRegistry();
  {
    using _bars = showProgress(cli, registry);
    for (let at = 0; at < 7; at += 1) registry.create(`work ${at}`, { total: 10 });
    vi.advanceTimersByTime(400);
  }
  const text = written.join('');
  expect(text).toContain('work 4');
  expect(text).not.toContain('work 5');
  expect(text).toContain('… and 2 more');
  expect(text.endsWith('\u001b[6A\u001b[J')).toBe(true);
});
