import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { openApiFaults } from '../../../../test/support/open-api-schema.ts';
import { describeAction } from '../../../core/describe.ts';
import { createRegistry } from '../../../core/registry.ts';
import { type Listing, openApiDocument } from './document.ts';
import { openApiRoute } from './route.ts';

const listing: Listing = JSON.parse(readFileSync('src/app/listing.generated.json', 'utf8'));
const document = openApiDocument({ listing, version: '1.2.3', url: '/' });
const faults = (name: string, value: unknown): string[] => openApiFaults({ $ref: `#/components/schemas/${name}` }, value, document);

/** Another validator's word; it changes what it is given. */
const verdict = (candidate: object) => new Validator().validate(structuredClone({ ...candidate }));

test('passes an independent validator', async () => {
  expect(await verdict(document)).toMatchObject({ valid: true });
});

test('would not pass it with a mistake', async () => {
  expect(await verdict({ ...document, paths: { '/actions': { post: { responses: {} } } } })).toMatchObject({ valid: false });
});

test('leads every reference somewhere', () => {
  const text = JSON.stringify(document);
  const targets = new Set([...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)].map(([, kind, name]) => `${kind}/${name}`));
  const { components } = document as { components: Record<string, Record<string, unknown>> }; // by OpenAPI
  expect([...targets].filter((target) => !Object.hasOwn(components[target.split('/')[0] ?? ''] ?? {}, target.split('/')[1] ?? ''))).toEqual(
    [],
  );
  expect(text).not.toContain('$defs');
});

/** Every part of the document that is an object, with the way to it. */
const partsOf = (part: unknown, at = ''): readonly (readonly [string, object])[] =>
  typeof part === 'object' && part !== null
    ? [[at, part] as const, ...Object.entries(part).flatMap(([key, inner]) => partsOf(inner, `${at}/${key}`))]
    : [];

describe('holds what linters of OpenAPI ask for:', () => {
  const { components, info, paths } = document as Record<string, Record<string, Record<string, unknown>>>; // by OpenAPI
  const operations = Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation as Record<string, object>] as const),
  );

  test('nothing stands beside a reference', () => {
    const crowded = partsOf(document).filter(([, part]) => '$ref' in part && Object.keys(part).length > 1);
    expect(crowded.map(([at]) => at)).toEqual([]);
  });

  test('every schema is used', () => {
    const text = JSON.stringify(document);
    expect(Object.keys(components?.schemas ?? {}).filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([]);
  });

  test('somebody is named to turn to', () => {
    expect(info?.contact).toMatchObject({ name: expect.any(String) });
  });

  test.each(operations)('%s says more than its summary, and how it succeeds', (name, { summary, description, responses = {} }) => {
    expect(description).toEqual(expect.stringMatching(/\w.*\.$/));
    expect(description).not.toBe(summary);
    // A WebSocket succeeds with 101, for which linters have no word.
    const success = name === 'get /progress' ? /^101$/ : /^[23]\d\d$/;
    expect(Object.keys(responses).some((status) => success.test(status))).toBe(true);
  });
});

describe('types the command of every action:', () => {
  test.each(listing.actions)('$name', ({ name, aliases, examples, order, arguments: { properties } }) => {
    for (const { args, value } of examples) {
      for (const each of [name, ...aliases]) expect(faults(name, [each, args])).toEqual([]);
      expect(faults('command', [name, args])).toEqual([]);
      if (value !== undefined) expect(faults(`${name}_value`, value)).toEqual([]);
      for (const key of Object.keys(args)) {
        expect(faults(name, [name, { ...args, [key]: '${results[0].value}' }]), `a reference as ${key}`).toEqual([]);
      }
      expect(faults(name, [name, { ...args, no_such_argument: 1 }])).not.toEqual([]);
    }
    expect(faults(name, ['FA_no_such', {}])).not.toEqual([]);
    expect(faults(name, [name, Array(order.length + 1).fill(null)])).not.toEqual([]);
    expect(Object.keys(properties ?? {})).toEqual(order);
  });
});

test.each<[string, unknown, boolean]>([
  [
    'a list',
    [
      ['FA_stat', { path: 'a' }],
      ['FA_list_trash', []],
    ],
    true,
  ],
  ['an empty list', [], true],
  ['a wrapped list', { actions: [['FA_stat', ['a']]], mode: 'parallel', max_workers: 2, dry_run: true }, true],
  ['the older name of a wrapped list', { auto_control: [] }, true],
  [
    'a graph',
    {
      nodes: [
        { id: 'a', action: ['FA_stat', ['a']] },
        { id: 'b', action: ['FA_stat', ['b']], depends_on: ['a'] },
      ],
    },
    true,
  ],
  ['a nested list', [['FA_if_exists', { path: 'a', then: [['FA_remove_file', ['a']]] }]], true],
  ['a command alone', ['FA_stat', { path: 'a' }], false],
  ['an unknown option', { actions: [], modes: 'parallel' }, false],
  ['an unknown name', [['FA_sat', {}]], false],
  ['a missing argument', [['FA_stat', {}]], false],
])('judges %s', (_, request, isGood) => {
  expect(faults('steps', request).length === 0).toBe(isGood);
});

test('takes whatever a registered function takes', async () => {
  const registry = createRegistry();
  registry.register('FA_mine', () => 1);
  const mine = describeAction(registry.resolve('FA_mine') ?? expect.fail('it is registered'));
  const own = openApiDocument({ listing: { ...listing, actions: [mine] }, version: '1.2.3', url: '/' });
  expect(await verdict(own)).toMatchObject({ valid: true });
  for (const command of [['FA_mine'], ['FA_mine', { a: 1 }], ['FA_mine', [1, 'two', null]]]) {
    expect(openApiFaults({ $ref: '#/components/schemas/command' }, command, own)).toEqual([]);
  }
});

test('is written once, when first asked for', async () => {
  let loaded = 0;
  const { handle } = openApiRoute({
    loadListing: () => {
      loaded += 1;
      return Promise.resolve(listing);
    },
    version: '1.2.3',
  });
  expect(loaded).toBe(0);
  const exchange = {} as Parameters<typeof handle>[0]; // the document is the same for everybody
  const [first, second] = [await handle(exchange), await handle(exchange)];
  expect(loaded).toBe(1);
  expect(second).toEqual(first);
  expect(JSON.parse(first?.text?.content ?? '')).toEqual(JSON.parse(JSON.stringify(document)));
});
