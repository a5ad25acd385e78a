import { expect, test } from 'vitest';
import { HTTPActionClient } from '../../src/client/index.ts';
import * as door from '../../src/index.ts';
import * as spec from '../../src/spec.ts';

// Programs in plain JavaScript have no compiler that tells them of a misspelt option.
type Loose = (...given: unknown[]) => unknown;
/** The doors as plain JavaScript sees them. */
const main = door as unknown as Record<string, Loose>;
const exact = spec as unknown as Record<string, Loose>;
const wrong = { dryrun_: true };

const make = (from: object, name: string, ...given: unknown[]): unknown =>
  Reflect.construct((from as Record<string, new () => unknown>)[name] ?? Object, given);
/** A method as plain JavaScript sees it. */
const method = (of: object, name: string): Loose => (of as Record<string, Loose>)[name]?.bind(of) ?? (() => undefined);

/** Every name of the main door that takes options, with a call that has one too many. */
const takesOptions: Record<string, Loose[]> = {
  ActionACL: [() => make(door, 'ActionACL', wrong)],
  CallbackExecutor: [() => method(new door.CallbackExecutor(), 'run')({ action: 'FA_stat', callback: () => {}, ...wrong })],
  ConfigWatcher: [() => make(door, 'ConfigWatcher', 'x', () => {}, wrong)],
  MCPServer: [() => make(door, 'MCPServer', null, wrong), () => method(new door.MCPServer(), 'serveStdio')(wrong)],
  Quota: [() => make(door, 'Quota', wrong)],
  call: [() => main.call?.('FA_stat', { path: '.' }, wrong)],
  createFactotum: [
    () => main.createFactotum?.(wrong),
    () => main.createFactotum?.({ log: wrong }),
    () => main.createFactotum?.({ defaults: wrong }),
    () => method(door.createFactotum(), 'run')([], wrong),
    () => method(door.createFactotum(), 'run')([], { dryRun: 'yes' }),
    () => method(door.createFactotum(), 'run')([], 'dry'),
  ],
  createPolicy: [() => main.createPolicy?.(wrong)],
  executeAction: [
    () => main.executeAction?.([], wrong),
    () => main.executeAction?.([], { dryRun: 'yes' }),
    () => main.executeAction?.([], { stopOnError: 1 }),
    () => main.executeAction?.([], 'dry'),
    () => main.executeAction?.([], false, { dryRun: true }),
  ],
  executeActionDag: [() => main.executeActionDag?.([], 1, wrong)],
  executeActionParallel: [() => main.executeActionParallel?.([], 1, wrong)],
  executeFiles: [() => main.executeFiles?.(['package.json'], wrong)],
  findDuplicates: [() => main.findDuplicates?.('.', wrong)],
  loadEntryPointPlugins: [() => main.loadEntryPointPlugins?.(wrong)],
  notificationManager: [() => method(door.notificationManager, 'register')({ type: 'slack', name: 'x', webhook_url: 'x', ...wrong })],
  retryOnTransient: [() => main.retryOnTransient?.(wrong)],
  scheduler: [() => method(door.scheduler, 'add')('x', '* * * * *', [], wrong), () => method(door.scheduler, 'pause')('x', wrong)],
  startAutocontrolSocketServer: [() => main.startAutocontrolSocketServer?.(wrong)],
  startHttpActionServer: [() => main.startHttpActionServer?.(wrong)],
  startMetricsServer: [() => main.startMetricsServer?.(wrong)],
  downloadFile: [() => main.downloadFile?.('http://93.184.216.34/', '.', wrong)],
  syncDir: [() => main.syncDir?.('.', '.', wrong)],
  triggerManager: [() => method(door.triggerManager, 'start')('x', '.', [], wrong)],
  validateHttpUrl: [() => main.validateHttpUrl?.('http://127.0.0.1', { allowPrivate: false })],
  verifyManifest: [() => main.verifyManifest?.('.', 'x', wrong)],
  writeManifest: [() => main.writeManifest?.('.', 'x', wrong)],
};

/** What takes names, functions, definitions or values only. */
const takesNone = [
  'AutomationConfig',
  'FileAutomationException',
  'OWNER',
  'addCommandToExecutor',
  'addPackageToExecutor',
  'args',
  'buildDefaultRegistry',
  'defineAction',
  'defineFamily',
  'errors',
  'fileChecksum',
  'isWithin',
  'literal',
  'notifyOnFailure',
  'progressRegistry',
  'safeJoin',
  'shapes',
  'unchecked',
  'validateAction',
  'verifyChecksum',
];

test('every name of the main door says whether it takes options', () => {
  const groups = Object.keys(door).filter((name) => /^register\w+Ops$/.test(name));
  expect([...Object.keys(takesOptions), ...takesNone, ...groups].sort()).toEqual(Object.keys(door).sort());
});

const cases = (table: Record<string, Loose[]>) =>
  Object.entries(table).flatMap(([name, calls]) => calls.map((call) => [name, call] as const));

test.each(cases(takesOptions))('%s refuses an option that it does not know', async (_, call) => {
  await expect((async () => call())()).rejects.toMatchObject({
    type: expect.stringMatching(/^(?:Argument|Config|Notification)Exception$/),
  });
});

const specCalls: Record<string, Loose[]> = {
  execute_action: [() => exact.execute_action?.([], wrong), () => exact.execute_action?.([], { dryRun: true })],
  execute_action_parallel: [() => exact.execute_action_parallel?.([], wrong)],
  execute_action_dag: [() => exact.execute_action_dag?.([], wrong)],
  execute_files: [() => exact.execute_files?.(['package.json'], wrong)],
  file_checksum: [() => exact.file_checksum?.('x', wrong)],
  verify_checksum: [() => exact.verify_checksum?.('x', 'y', wrong)],
  validate_http_url: [() => exact.validate_http_url?.('http://127.0.0.1', wrong)],
  find_duplicates: [() => exact.find_duplicates?.('.', wrong)],
  verify_manifest: [() => exact.verify_manifest?.('.', 'x', wrong)],
  write_manifest: [() => exact.write_manifest?.('.', 'x', wrong)],
  download_file: [() => exact.download_file?.('http://93.184.216.34/', '.', wrong)],
  sync_dir: [() => exact.sync_dir?.('.', '.', wrong)],
  retry_on_transient: [() => exact.retry_on_transient?.(wrong)],
  start_http_action_server: [() => exact.start_http_action_server?.(wrong)],
  start_autocontrol_socket_server: [() => exact.start_autocontrol_socket_server?.(wrong)],
  start_metrics_server: [() => exact.start_metrics_server?.(wrong)],
  Quota: [() => make(spec, 'Quota', wrong)],
  ConfigWatcher: [() => make(spec, 'ConfigWatcher', 'x', () => {}, wrong)],
  MCPServer: [() => make(spec, 'MCPServer', null, wrong)],
  scheduler: [() => method(spec.scheduler, 'add')('x', '* * * * *', [], wrong)],
  trigger_manager: [() => method(spec.trigger_manager, 'start')('x', '.', [], wrong)],
};

test.each(cases(specCalls))('%s of the specification refuses an option that it does not know', async (_, call) => {
  await expect((async () => call())()).rejects.toMatchObject({ type: 'ArgumentException' });
});

/** No server is asked, so none has to run. */
const client = new HTTPActionClient('http://127.0.0.1:1');
const argumentsOf: Record<string, readonly unknown[]> = {
  actions: [],
  call: ['FA_stat', { path: '.' }],
  cancel: ['x'],
  describe: ['FA_stat'],
  execute: [[]],
  follow: ['x'],
  followProgress: [],
  health: [],
  ping: [],
  plan: [[]],
  ready: [],
  resume: ['x'],
  run: ['x'],
  runs: [{}],
  start: [[]],
  undo: ['x'],
};

test('every method of the client stands in the table', () => {
  const methods = Object.getOwnPropertyNames(HTTPActionClient.prototype).filter((name) => name !== 'constructor');
  expect(Object.keys(argumentsOf)).toEqual(methods.sort());
});

test.each(Object.entries(argumentsOf))('client.%s refuses an option that it does not know', async (name, given) => {
  await expect((async () => method(client, name)(...given, wrong))()).rejects.toMatchObject({
    type: 'HTTPActionClientException',
    trouble: 'misuse',
  });
});

test('a client refuses an option that it does not know, and a query of runs too', async () => {
  expect(() => make({ HTTPActionClient }, 'HTTPActionClient', 'http://127.0.0.1:1', { sharedsecret: 'x' })).toThrow(
    'did you mean sharedSecret?',
  );
  await expect(method(client, 'runs')({ state: 'failed' })).rejects.toThrow('A query of runs has no option "state"; it takes status,');
});

test.each(['dryRun', 'dry_run', 'dryrun'])('client.execute names client.plan to whoever asks for %s', async (key) => {
  await expect(method(client, 'execute')([], { [key]: true })).rejects.toThrow(/has no option "dry_?run"; use client\.plan\(list\)/i);
});
