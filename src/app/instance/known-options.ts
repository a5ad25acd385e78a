import type { ListDefaults } from '../../core/list-defaults.ts';
import { demandKnownKeys, type KnownKeys } from '../../lib/text/known-keys.ts';
import type { FactotumOptions, LogSettings, NetworkSettings } from '../factotum.ts';

const OPTIONS: KnownKeys<FactotumOptions> = {
  cwd: true,
  registry: true,
  log: true,
  env: true,
  secretVariables: true,
  clock: true,
  defaults: true,
  guards: true,
  outbound: true,
  connections: true,
  observer: true,
  store: true,
};

const LOG: KnownKeys<LogSettings> = { level: true, format: true, plans: true, write: true };

const NETWORK: KnownKeys<NetworkSettings> = { privateHosts: true, ca: true, lookup: true, dial: true };

const DEFAULTS: KnownKeys<ListDefaults> = {
  maxCommands: true,
  maxWorkers: true,
  validateFirst: true,
  maxBytes: true,
  maxSeconds: true,
  executedCommands: true,
  runBytes: true,
};

/** Refuses what an instance does not know, of itself, of its log and of its lists. */
export const demandKnownOptions = (given: FactotumOptions): void => {
  demandKnownKeys(given, OPTIONS, 'createFactotum');
  if (given.log !== undefined) demandKnownKeys(given.log, LOG, 'createFactotum: log');
  if (given.outbound !== undefined) demandKnownKeys(given.outbound, NETWORK, 'createFactotum: outbound');
  if (given.defaults !== undefined) demandKnownKeys(given.defaults, DEFAULTS, 'createFactotum: defaults');
};
