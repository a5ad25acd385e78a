import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { ConfigException } from '../../core/errors.ts';
import { DEFAULTS } from './derived.generated.ts';
import { loadSettings } from './load.ts';

const load = async (toml: string, options: Partial<Parameters<typeof loadSettings>[0]> = {}) => {
  using dir = tempDir({ 'factotum.toml': toml });
  return await loadSettings({ env: {}, cwd: dir.path, ...options });
};

const faultOf = async (toml: string, options: Partial<Parameters<typeof loadSettings>[0]> = {}): Promise<ConfigException> => {
  const fault = await load(toml, options).catch((reason: unknown) => reason);
  expect(fault).toBeInstanceOf(ConfigException);
  return fault as ConfigException; // the line above
};

describe('where the configuration is looked for', () => {
  const port = (value: number) => `[http]\nport = ${value}\n`;

  test('the option before the variable before the directory before the user', async () => {
    using dir = tempDir({
      'named.toml': port(1),
      'variable.toml': port(2),
      'here/factotum.toml': port(3),
      'xdg/factotum/factotum.toml': port(4),
      'home/.config/factotum/factotum.toml': port(5),
    });
    const found = async (options: { path?: string; env: Record<string, string>; cwd: string }) =>
      (await loadSettings(options)).config.http.port;
    const env = { HOME: dir.at('home'), XDG_CONFIG_HOME: dir.at('xdg'), FACTOTUM_CONFIG: '../variable.toml' };
    expect(await found({ path: '../named.toml', env, cwd: dir.at('here') })).toBe(1);
    expect(await found({ env, cwd: dir.at('here') })).toBe(2);
    expect(await found({ env: { ...env, FACTOTUM_CONFIG: '' }, cwd: dir.at('here') })).toBe(3);
    expect(await found({ env: { ...env, FACTOTUM_CONFIG: '' }, cwd: dir.path })).toBe(4);
    expect(await found({ env: { HOME: dir.at('home') }, cwd: dir.path })).toBe(5);
    expect(await found({ env: { HOME: dir.path }, cwd: dir.path })).toBe(9944);
  });

  test('a file that was named has to be there', async () => {
    using dir = tempDir();
    const search = { env: { HOME: dir.path }, cwd: dir.path };
    await expect(loadSettings({ ...search, path: 'no.toml' })).rejects.toThrow(/cannot be read: No file at .*no\.toml/);
    await expect(loadSettings({ ...search, env: { FACTOTUM_CONFIG: 'no.toml' } })).rejects.toThrow(ConfigException);
    await expect(loadSettings({ ...search, path: '.' })).rejects.toThrow(/is a directory/);
  });
});

describe('what counts', () => {
  test('defaults, where nothing is said', async () => {
    using dir = tempDir();
    expect(await loadSettings({ env: { HOME: dir.path }, cwd: dir.path })).toEqual({ config: DEFAULTS, written: {} });
    expect((await load('')).config).toEqual(DEFAULTS);
  });

  test('flags before variables before the file', async () => {
    const { config } = await load('[http]\nport = 1\nhost = "file"\nhosts = ["a"]\n[log]\nlevel = "error"', {
      env: { FACTOTUM_HTTP_PORT: '2', FACTOTUM_HTTP_HOST: 'variable', FACTOTUM_HTTP_HOSTS: 'b, c,' },
      flags: { http: { port: 3 } },
    });
    expect(config.http).toMatchObject({ port: 3, host: 'variable', hosts: ['b', 'c'] });
    expect(config.log.level).toBe('error');
  });

  test('a flag that is undefined is not given', async () => {
    const { config } = await load('[http]\nport = 1', {
      flags: { http: { port: undefined, tls_cert: undefined }, store: { path: undefined } },
    });
    expect(config.http.port).toBe(1);
    expect(config.http).not.toHaveProperty('tls_cert');
  });

  test('variables are read by the kind of their key, and empty ones are not set', async () => {
    const { config } = await load('', {
      env: {
        FACTOTUM_SHARED_SECRET: 'from a variable',
        FACTOTUM_TCP_ENABLED: '0',
        FACTOTUM_POLICY_OWNER: 'TRUE',
        FACTOTUM_DRAIN_S: '1.5',
        FACTOTUM_HTTP_SHARED_SECRET: '',
      },
    });
    expect(config.server).toMatchObject({ shared_secret: 'from a variable', drain_s: 1.5 });
    expect(config.http.shared_secret).toBe('from a variable');
    expect(config.tcp.enabled).toBe(false);
    expect(config.policy.owner).toBe(true);
  });

  test('what all doors share, unless a door says otherwise', async () => {
    const { config } = await load(
      '[server]\nshared_secret = "all"\nallow_non_loopback = true\n[tcp]\nshared_secret = "own"\nallow_non_loopback = false',
    );
    expect(config.http).toMatchObject({ shared_secret: 'all', allow_non_loopback: true });
    expect(config.tcp).toMatchObject({ shared_secret: 'own', allow_non_loopback: false });
  });

  test('paths from where they are written', async () => {
    using dir = tempDir({
      'etc/factotum.toml': '[http]\ntls_cert = "c.pem"\ntls_key = "/k.pem"\n[[tokens]]\nname = "t"\nsecret = "s"\nroots = ["a", "../b"]',
    });
    const { config } = await loadSettings({
      path: 'etc/factotum.toml',
      env: { FACTOTUM_SECRETS_FILE_ROOT: 'secrets' },
      cwd: dir.path,
      flags: { store: { path: 'store.db' } },
    });
    expect(config.http).toMatchObject({ tls_cert: dir.at('etc/c.pem'), tls_key: '/k.pem' });
    expect(config.tokens[0]?.roots).toEqual([dir.at('etc/a'), dir.at('b')]);
    expect(config.secrets.file_root).toBe(dir.at('secrets'));
    expect(config.store.path).toBe(dir.at('store.db'));
  });

  test('lists of schedules stay as they are', async () => {
    const { config } = await load('[[schedules]]\nname = "n"\ncron = "* * * * *"\nactions = [["FA_x", {at = 2026-01-02, e = "${env:E}"}]]');
    expect(config.schedules[0]).toMatchObject({ actions: [['FA_x', { at: '2026-01-02', e: '${env:E}' }]], overlap: 'skip' });
  });
});

describe('what is refused', () => {
  test.each([
    ['[htpp]', '1:1', 'there is no section [htpp]; did you mean http?'],
    ['x = 1', '1:1', 'there is no section [x]; `factotum config schema` shows what there is.'],
    ['[http]\n\n  prot = 1', '3:3', 'there is no key http.prot; did you mean port?'],
    ['http.prot = 1', '1:1', 'there is no key http.prot; did you mean port?'],
    ['http = { port = 1, prot = 2 }', '1:20', 'there is no key http.prot; did you mean port?'],
    [
      '[[tokens]]\nname = "a"\nsecret = "s"\n[[tokens]]\nname = "b"\nsecrt = "s"',
      '6:1',
      'there is no key tokens[1].secrt; did you mean secret?',
    ],
    ['[[notify.sinks]]\ntype = "slack"\nname = "a"\nwebhook_url = "u"\nurl = "u"', '5:1', 'there is no key notify.sinks[0].url'],
    ['[connections.nas]\ntype = "smb"\nserver = "s"\nshare = "x"\nuser = "u"', '5:1', 'there is no key connections.nas.user'],
    ['[engine]\nurl = "x"', '2:1', 'there is no key engine.url'],
    ['[defaults.actions.FA_copy_file.retry]\nattemps = 1', '2:1', 'did you mean attempts?'],
    ['[http]\nport = "x"', '2:1', 'http.port must be a whole number, not a text.'],
    ['[http]\nport = 1.5', '2:1', 'http.port must be a whole number, not a number.'],
    ['[http]\nport = 70000', '2:1', 'http.port must be at most 65535.'],
    ['[http]\nport = -1', '2:1', 'http.port must be at least 0.'],
    ['[http]\nhosts = "x"', '2:1', 'http.hosts must be a list in [ ], not a text.'],
    ['[http]\nhosts = ["x", 1]', '2:15', 'http.hosts[1] must be a text in quotes, not a number.'],
    ['[http]\nhost = ""', '2:1', 'http.host must not be empty; write something or remove it.'],
    ['[http]\nhost = "${env:H}"', '2:1', 'http.host: This key takes no references; write the value itself.'],
    ['[http]\nenabled = "yes"', '2:1', 'http.enabled must be true or false, not a text.'],
    ['[http]\ntls_cert = "c"', '2:1', 'http.tls_cert: HTTPS takes both; set tls_key too.'],
    ['[server]\nshared_secret = "${evn:X}"', '2:1', 'server.shared_secret: References are ${env:NAME} and ${file:NAME}'],
    ['[server]\ndrain_s = inf', '2:1', 'server.drain_s must be a number, not Infinity.'],
    ['http = 3', '1:1', 'http must be a table, not a number.'],
    ['[log]\nlevel = "inof"', '2:1', 'log.level must be one of debug, info, warn, error, silent; did you mean info?'],
    ['[log]\nlevel = 3', '2:1', 'log.level must be one of debug, info, warn, error, silent, not a number.'],
    ['[[tokens]]\nname = "a"', '1:1', 'tokens[0].secret is missing; set it.'],
    ['[[tokens]]\nname = "a b"\nsecret = "s"', '2:1', 'tokens[0].name: Use up to 64 letters'],
    ['[[tokens]]\nname = "a"\nsecret = "s"\n[[tokens]]\nname = "a"\nsecret = "s"', '5:1', 'The name a is taken by an earlier entry.'],
    ['[[notify.sinks]]\nname = "a"', '1:1', 'notify.sinks[0].type is missing; set it.'],
    ['[[notify.sinks]]\nname = "a"\ntype = "slak"', '3:1', 'did you mean slack?'],
    ['[connections."a b"]\ntype = "s3"', '1:1', 'connections.a b is not a name. Use up to 64'],
    ['[[schedules]]\nname = "a"\ncron = "* * * * *"\nactions = 3', '4:1', 'Expected a list of commands'],
    ['[[schedules]]\nname = "a"\ncron = "* * * * *"\nactions = {}', '4:1', 'has neither `actions` nor `nodes`'],
    ['[limits]\nbody_timeout_s = 0', '2:1', 'limits.body_timeout_s must be more than 0.'],
    ['[limits]\nin_flight = 0', '2:1', 'limits.in_flight must be at least 1.'],
    ['[[schedules]]\nname = "a"\ncron = "* * * * *"\nactions = []\ntime_zone = "Mars/Base"', '5:1', 'No time zone has this name'],
    ['[[schedules]]\nname = "a"\ncron = "61 3 * * *"\nactions = []', '3:1', 'schedules[0].cron: The minute field cannot be "61"'],
    ['[[schedules]]\nname = "a"\ncron = "0 0 30 2 *"\nactions = []', '3:1', 'No date ever fits "0 0 30 2 *"'],
    ['[[watchers]]\nname = "a"\npath = "."\nactions = []\ninclude = ["*.txt", "[z-a]"]', '5:21', 'watchers[0].include[1]: The pattern'],
    ['[mcp]\nall = true\ncompact = true', '3:1', 'exclude each other'],
    ['[policy]\ndeny = ["effect:wirtes"]', '2:9', 'policy.deny[0]: There is no such effect; did you mean effect:writes?'],
    ['[policy]\nroots = ["/data", "~/data"]', '2:19', 'policy.roots[1]: Write the home directory out: ~ stands for it in shells only.'],
  ])('%j', async (toml, place, words) => {
    const { message, context } = await faultOf(toml);
    expect(message).toContain(`factotum.toml:${place}: `);
    expect(message).toContain(words);
    const [line, column] = place.split(':').map(Number);
    expect(context).toMatchObject({ line, column, excerpt: { pointer: column } });
  });

  test('a variable by its name, and a flag as what it is', async () => {
    expect((await faultOf('[http]\nport = 1', { env: { FACTOTUM_HTTP_PORT: 'many' } })).message).toBe(
      'FACTOTUM_HTTP_PORT: http.port must be a whole number, not a text.',
    );
    expect((await faultOf('[http]\nport = 1', { flags: { http: { port: -1 } } })).message).toBe(
      'command line: http.port must be at least 0.',
    );
  });

  test('what is no table although a variable sets a key of it', async () => {
    expect((await faultOf('http = 3', { env: { FACTOTUM_HTTP_PORT: '1' } })).message).toMatch(
      /:1:1: http must be a table, not a number\.$/,
    );
  });

  test('all at once, in the order of the file', async () => {
    const { message, context } = await faultOf('[log]\nlevel = 1\n[http]\nport = "x"\nprot = 1');
    expect(message).toMatch(/:2:1: log\.level .* \(and 2 more; `factotum config check` shows all\)$/);
    expect(context.faults).toMatchObject([{ key: 'log.level' }, { key: 'http.port' }, { key: 'http.prot' }]);
  });

  test('what is not UTF-8, and what is larger than a configuration can be', async () => {
    using dir = tempDir({ 'bytes.toml': Buffer.from([0x61, 0xff]), 'large.toml': '#'.repeat(2 ** 20 + 1) });
    await expect(loadSettings({ path: 'bytes.toml', env: {}, cwd: dir.path })).rejects.toThrow(/is not UTF-8/);
    await expect(loadSettings({ path: 'large.toml', env: {}, cwd: dir.path })).rejects.toThrow(/larger than/);
  });
});

test('nothing is loaded for the schema until something is configured', async () => {
  const { outputs } = (
    await build({
      entryPoints: ['src/services/config/load.ts'],
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      splitting: true,
      outdir: 'unused',
      write: false,
      metafile: true,
    })
  ).metafile;
  const staticImports = (path: string): string[] =>
    (outputs[path]?.imports ?? []).flatMap(({ path: to, kind }) => (kind === 'import-statement' ? [to, ...staticImports(to)] : []));
  const [entry = ''] = Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === 'src/services/config/load.ts');
  const loaded = staticImports(entry);
  expect(loaded).toContain('node:fs');
  expect(loaded).not.toContain('zod');
  expect(loaded).not.toContain('smol-toml');
});
