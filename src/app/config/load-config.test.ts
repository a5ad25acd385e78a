import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { SecretNotFoundException } from '../../core/errors.ts';
import { AutomationConfig as SpecConfig } from '../../spec.ts';
import { AutomationConfig as HouseConfig } from '../library/automation-config.ts';
import { loadConfig } from './load-config.ts';

const TOML = `
[secrets]
file_root = "secrets"
[server]
shared_secret = "\${file:owner}"
[[tokens]]
name = "ci"
secret = "written-out-secret"
[[notify.sinks]]
type = "slack"
name = "team"
webhook_url = "https://hooks.example.com/\${env:HOOK}"
[connections.cloud]
type = "s3"
endpoint_url = "https://user:pass-in-address@s3.example.com"
[[schedules]]
name = "n"
cron = "* * * * *"
actions = [["FA_x", {password = "in-a-list"}]]
`;
const FILES = { 'factotum.toml': TOML, 'secrets/owner': 'owner-secret\n' };

describe('a loaded configuration', () => {
  test('resolves references when asked, and tells every secret it meets', async () => {
    using dir = tempDir(FILES);
    const learned: string[] = [];
    const loaded = await loadConfig({ env: { HOOK: 'T0/B0' }, cwd: dir.path, learn: (secret) => learned.push(secret) });
    expect(learned).toEqual(['written-out-secret', 'https://hooks.example.com/${env:HOOK}']);
    expect(loaded.config.http.shared_secret).toBe('${file:owner}');
    expect(await loaded.resolve(loaded.config.http.shared_secret ?? '', 'http.shared_secret')).toBe('owner-secret');
    expect((await loaded.resolveSection('notify')).sinks[0]).toMatchObject({ webhook_url: 'https://hooks.example.com/T0/B0' });
    expect(learned.slice(2)).toEqual(['owner-secret', 'T0/B0']);
  });

  test('names the key in which an unresolved reference was written', async () => {
    using dir = tempDir({ 'factotum.toml': TOML });
    const loaded = await loadConfig({ env: {}, cwd: dir.path });
    const fault = await loaded.resolve('${file:owner}', 'http.shared_secret').catch((reason: unknown) => reason);
    expect(fault).toBeInstanceOf(SecretNotFoundException);
    expect(fault).toMatchObject({ context: { reference: '${file:owner}', key: 'server.shared_secret' } });
  });

  test('tries all references without telling a value', async () => {
    using dir = tempDir(FILES);
    const loaded = await loadConfig({ env: {}, cwd: dir.path });
    const checks = await loaded.checkReferences();
    expect(checks).toMatchObject([
      { key: 'server.shared_secret', reference: '${file:owner}', ok: true },
      { key: 'notify.sinks[0].webhook_url', reference: '${env:HOOK}', ok: false, message: 'the variable HOOK is not set; set it' },
    ]);
    expect(JSON.stringify(checks)).not.toContain('owner-secret');
  });

  test('can be shown', async () => {
    using dir = tempDir(FILES);
    const shown = inspect((await loadConfig({ env: {}, cwd: dir.path })).shown(), { depth: null });
    for (const secret of ['written-out-secret', 'hooks.example.com', 'pass-in-address', 'in-a-list']) expect(shown).not.toContain(secret);
    expect(shown).toContain('${file:owner}');
    expect(shown).toContain('s3.example.com');
  });
});

describe('AutomationConfig', () => {
  test('gives sections and hands sinks to whoever takes them', async () => {
    using dir = tempDir({
      'a.toml': '[defaults]\ndedup_seconds = 5\n[[notify.sinks]]\ntype = "telegram"\nname = "t"\nbot_token = "b"\nchat_id = "c"',
    });
    const config = await HouseConfig.load(dir.at('a.toml'));
    expect(config.path).toBe(dir.at('a.toml'));
    expect(config.section('defaults').dedup_seconds).toBe(5);
    const taken: string[] = [];
    expect(await config.applyTo({ register: ({ name }) => taken.push(name) })).toBe(1);
    expect(taken).toEqual(['t']);
    const spec = await SpecConfig.load(dir.at('a.toml'));
    expect(spec.section('defaults')).toEqual(config.section('defaults'));
    expect(await spec.notification_sinks()).toEqual(await config.notificationSinks());
    expect(await spec.apply_to({ register: ({ name }) => taken.push(name) })).toBe(1);
  });

  test('refuses a section that does not exist, and hands over nothing when a reference leads nowhere', async () => {
    using dir = tempDir({
      'a.toml':
        '[[notify.sinks]]\ntype = "slack"\nname = "a"\nwebhook_url = "u"\n[[notify.sinks]]\ntype = "slack"\nname = "b"\nwebhook_url = "${env:FACTOTUM_TEST_UNSET}"',
    });
    const config = await HouseConfig.load(dir.at('a.toml'));
    expect(() => config.section('htpp' as 'http')).toThrow('There is no section htpp; did you mean http?'); // as from plain JavaScript
    const taken: string[] = [];
    await expect(config.applyTo({ register: ({ name }) => taken.push(name) })).rejects.toThrow(SecretNotFoundException);
    expect(taken).toEqual([]);
  });
});
