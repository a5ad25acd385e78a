import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { faultsOf } from '../../../test/laws/json-schema.ts';
import { DEFAULTS, VARIABLES } from './derived.generated.ts';
import { configJsonSchema, type KeySchema } from './json-schema.ts';
import { parseConfig } from './parse.ts';

const schema = JSON.parse(readFileSync('schema/factotum-config.schema.json', 'utf8'));

const describedEverywhere = (each: KeySchema, path: string): string[] => [
  ...Object.entries(each.properties ?? {}).flatMap(([key, inner]) => [
    ...(inner.description?.endsWith('.') ? [] : [`${path}.${key}`]),
    ...describedEverywhere(inner, `${path}.${key}`),
  ]),
  ...[each.items ?? [], each.additionalProperties || [], each.oneOf ?? []].flat().flatMap((inner) => describedEverywhere(inner, path)),
];

describe('the published schema', () => {
  test('says something about every key', () => {
    expect(describedEverywhere(configJsonSchema(), '')).toEqual([]);
  });

  test('has exactly the sections of the configuration', () => {
    expect(Object.keys(schema.properties)).toEqual(
      'log server http tcp metrics dashboard mcp store engine worker limits defaults network secrets policy plugins tokens notify schedules watchers connections'.split(
        ' ',
      ),
    );
  });

  test.each([
    [''],
    ['[network]\nprivate_hosts = ["127.0.0.1:8080", "*.lan"]'],
    ['[http]\nport = 0\nhosts = ["a"]'],
    ['[engine]\n[worker]'],
    ['[[tokens]]\nname = "a"\nsecret = "${env:A}"\neffects = ["reads"]\nmax_bytes = 3'],
    ['[[notify.sinks]]\nname = "m"\ntype = "email"\nhost = "h"\nsender = "s"\nrecipients = ["r"]'],
    ['[[watchers]]\nname = "w"\npath = "p"\nactions = {actions = []}\nevents = ["moved"]'],
    ['[connections.a]\ntype = "sftp"\nhost = "h"\nusername = "u"'],
    ['[defaults.actions.FA_copy_file]\nrate_limit = {rate = 2}\nbulkhead = {max_concurrent = 1}'],
  ])('takes %j, as the configuration does', (toml) => {
    const tree = parse(toml);
    expect(faultsOf(schema, JSON.parse(JSON.stringify(tree)))).toEqual([]);
    expect(parseConfig(tree).issues).toEqual([]);
  });

  test.each([
    ['[htpp]'],
    ['[http]\nport = "1"'],
    ['[http]\nport = 65536'],
    ['[engine]\nx = 1'],
    ['[[tokens]]\nname = "a"'],
    ['[[tokens]]\nname = "a"\nsecret = "s"\neffects = ["writess"]'],
    ['[[notify.sinks]]\nname = "m"\ntype = "slack"\nurl = "u"'],
    ['[connections."a b"]\ntype = "s3"'],
    ['[connections.a]\ntype = "sftp"\nhost = "h"\nusername = "u"\n[connections.a.retry]\nattempts = 2'],
    ['[defaults.actions.FA_copy_file]\nretry = {attempts = 0}'],
    ['[[schedules]]\nname = "s"\ncron = "x"\nactions = "y"'],
  ])('refuses %j, as the configuration does', (toml) => {
    const tree = parse(toml);
    expect(faultsOf(schema, JSON.parse(JSON.stringify(tree)))).not.toEqual([]);
    expect(parseConfig(tree).config).toBeUndefined();
  });
});

describe('variables', () => {
  test('have names of their own', () => {
    const names = VARIABLES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['FACTOTUM_HTTP_PORT', 'FACTOTUM_SHARED_SECRET', 'FACTOTUM_LOG_LEVEL']));
    expect(names).not.toContain('FACTOTUM_CONFIG');
    expect(names).not.toContain('FACTOTUM_DEBUG');
  });
});

test('limits and ports are those that callers rely on', () => {
  expect(DEFAULTS.limits).toEqual({
    body_bytes: 8_388_608,
    json_depth: 64,
    commands: 100_000,
    executed_commands: 1_000_000,
    run_bytes: 268_435_456,
    header_bytes: 16_384,
    header_fields: 100,
    headers_timeout_s: 30,
    body_idle_timeout_s: 60,
    body_timeout_s: 300,
    in_flight: 256,
    tcp_connections: 256,
    tcp_idle_s: 300,
    requests_per_minute: 0,
    runner_threads: 8,
    runner_heap_mb: 2048,
    runner_memory_mb: 256,
    runner_busy_s: 60,
    wrong_secrets_per_minute: 10,
  });
  const { http, tcp, metrics, dashboard } = DEFAULTS;
  expect([http, tcp, metrics, dashboard].map(({ host, port, allow_non_loopback }) => [host, port, allow_non_loopback])).toEqual([
    ['127.0.0.1', 9944, false],
    ['127.0.0.1', 9943, false],
    ['127.0.0.1', 9945, false],
    ['127.0.0.1', 9955, false],
  ]);
});
