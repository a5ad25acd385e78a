import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { manualTime } from '../../../test/support/manual-time.ts';
import { openWebhook } from '../../../test/support/net/webhook.ts';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import { ConfigWatcher as SpecWatcher } from '../../spec.ts';
import type { AutomationConfig } from './automation-config.ts';
import { ConfigWatcher } from './config-watcher.ts';
import { notificationManager } from './notify.ts';

let dir: TempDir;
beforeEach(() => {
  dir = tempDir({ 'factotum.toml': '[http]\nport = 1\n' });
});
afterEach(() => dir[Symbol.dispose]());

const write = (text: string) => writeFileSync(dir.at('factotum.toml'), text);
const atOnce = (work: () => void) => {
  setImmediate(work);
  return () => {};
};

/** A watcher that is looked through by hand, and what it told. */
const open = (take: (config: AutomationConfig) => unknown = () => {}) => {
  const ports: number[] = [];
  const faults: string[] = [];
  const onChange = async (config: AutomationConfig) => {
    await take(config);
    ports.push(config.section('http').port);
  };
  const onFault = (fault: unknown) => void faults.push(String(fault));
  const watcher = new ConfigWatcher(dir.at('factotum.toml'), onChange, { setTimer: atOnce, onFault });
  return { watcher, ports, faults };
};

test('a change is handed over, once', async () => {
  const { watcher, ports } = open();
  expect(await watcher.checkOnce()).toBe(false);
  expect(watcher.config).toBeUndefined();
  write('[http]\nport = 2\n');
  expect(await watcher.checkOnce()).toBe(true);
  expect(await watcher.checkOnce()).toBe(false);
  expect(ports).toEqual([2]);
  expect(watcher.config?.section('http').port).toBe(2);
});

test('a broken file is told once and changes nothing until it is mended', async () => {
  const { watcher, ports, faults } = open();
  await watcher.checkOnce();
  write('[http]\nprot = 2\n');
  expect(await watcher.checkOnce()).toBe(false);
  write('[http]\nprot = 2\n\n');
  expect(await watcher.checkOnce()).toBe(false);
  expect(faults).toEqual([expect.stringContaining('prot')]);
  expect(watcher.config).toBeUndefined();
  write('[http]\nport = 3\n');
  expect(await watcher.checkOnce()).toBe(true);
  expect(ports).toEqual([3]);
});

test('a program that does not take a configuration keeps the old one', async () => {
  const { watcher, faults } = open(() => Promise.reject(new Error('not now')));
  await watcher.checkOnce();
  write('[http]\nport = 2\n');
  expect(await watcher.checkOnce()).toBe(false);
  expect(faults).toEqual(['Error: not now']);
});

test('a watcher looks every two seconds until it is stopped', async () => {
  const time = manualTime('2026-01-01T00:00:00Z');
  let told = 0;
  const setTimer = vi.fn(time.setTimer);
  await using watcher = new ConfigWatcher(dir.at('factotum.toml'), () => (told += 1), { setTimer });
  await watcher.start();
  await expect.poll(() => setTimer.mock.lastCall?.[1]).toBe(2_000);
  write('[http]\nport = 2\n');
  await time.advance(2_000);
  await expect.poll(() => setTimer.mock.lastCall?.[1]).toBe(250);
  await time.advance(250);
  await expect.poll(() => told).toBe(1);
});

test('without a listener of its own the sinks of the shared instance hear that a file is broken, and mended', async () => {
  using webhook = await openWebhook();
  const silence = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await notificationManager.register({ type: 'webhook', name: 'ops', url: webhook.url, allow_private_hosts: true });
  const ports: number[] = [];
  const watcher = new SpecWatcher(dir.at('factotum.toml'), (config) => ports.push(config.section('http').port), { interval: 0.001 });
  await watcher.start();
  write('[http]\nprot = 2\n');
  await expect.poll(() => webhook.heard.length).toBe(1);
  expect(webhook.heard).toMatchObject([{ level: 'error', body: expect.stringContaining('prot') }]);
  expect(silence.mock.lastCall?.[0]).toContain('the old one stays');
  write('[http]\nport = 2\n');
  await expect.poll(() => webhook.heard.length).toBe(2);
  expect(webhook.heard[1]).toMatchObject({ subject: expect.stringMatching(/works again$/) });
  expect(ports).toEqual([2]);
  expect(await watcher.check_once()).toBe(false);
  await watcher.stop();
  silence.mockRestore();
  await notificationManager.unregisterAll();
});
