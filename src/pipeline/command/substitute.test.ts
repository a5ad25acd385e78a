import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import corpus from '../../../test/fixtures/corpus/substitution.json' with { type: 'json' };
import { FileAutomationException, PolicyException, SubstitutionException } from '../../core/errors.ts';
import { LATER, NotYetKnown } from '../../core/planning.ts';
import { type Scope, substitute } from './substitute.ts';

interface Case {
  readonly id: string;
  readonly why: string;
  readonly input?: unknown;
  readonly input_json?: string;
  readonly context?: { readonly index?: number; readonly ancestors?: readonly string[]; readonly env_allow?: readonly string[] };
  readonly expect: {
    readonly ok?: boolean;
    readonly value?: unknown;
    readonly value_json?: string;
    readonly error?: string | readonly string[];
    readonly matches?: string;
    readonly note?: string;
  };
}

const { world } = corpus.about;
const cases: readonly Case[] = corpus.cases;

const scopeFor = ({ index, ancestors, env_allow: allowed }: NonNullable<Case['context']> = {}): Scope => {
  const env = new Map(Object.entries(world.env));
  let drawn = 0;
  return {
    env(name) {
      if (allowed !== undefined && !allowed.includes(name)) throw new PolicyException(`${name} may not be read.`);
      return env.get(name);
    },
    ...(index !== undefined && {
      result(at: number) {
        const earlier = at < index ? world.results[at] : undefined;
        if (earlier?.status !== 'ok') throw new SubstitutionException(`There is no value of command ${at}.`);
        return earlier.value;
      },
    }),
    ...(ancestors !== undefined && {
      node(id: string) {
        if (!ancestors.includes(id)) throw new SubstitutionException(`${id} is no ancestor.`);
        return world.results[0]?.value;
      },
    }),
    date: new Date(world.now),
    timeZone: world.tz,
    cwd: world.cwd,
    uuid() {
      drawn += 1;
      return drawn === 1 ? world.uuid : drawn.toString(16).padStart(32, 'f');
    },
  };
};

const inputOf = ({ input, input_json: json }: Case): unknown =>
  json === undefined
    ? JSON.parse(JSON.stringify(input), (_, value) => (Array.isArray(value?.repeat) ? value.repeat[0].repeat(value.repeat[1]) : value))
    : JSON.parse(json);

const faultOf = (value: unknown, scope: Scope): Error => {
  try {
    return new Error(`no fault: ${JSON.stringify(substitute(value, scope))}`);
  } catch (fault) {
    return fault instanceof Error ? fault : new Error(`no error was thrown but ${String(fault)}`);
  }
};

describe('the table of references', () => {
  for (const each of cases.filter(({ expect: expected }) => expected.ok !== undefined && expected.note === undefined)) {
    test(`${each.id}: ${each.why}`, () => {
      const scope = scopeFor(each.context);
      const { ok, value, value_json: json, error, matches } = each.expect;
      if (ok === false) {
        expect([error].flat()).toContain(faultOf(inputOf(each), scope).name);
        return;
      }
      const given = substitute(inputOf(each), scope);
      if (matches !== undefined) {
        expect(given).toMatch(new RegExp(matches));
        expect(new Set(String(given).split('-')).size).toBe(2);
      } else if (json === undefined) expect(given).toEqual(value);
      else expect(JSON.stringify(given)).toBe(json);
    });
  }
});

describe('substitute', () => {
  test('gives back the same value when it holds no reference', () => {
    const scope = scopeFor();
    fc.assert(fc.property(fc.jsonValue(), (value) => JSON.stringify(value).includes('${') || Object.is(substitute(value, scope), value)));
  });

  test('copies only what leads to a reference', () => {
    const value = { kept: [{ a: 1 }], changed: ['${cwd}'] };
    const given = substitute(value, scopeFor()) as typeof value; // as: the next line proves it
    expect(given).toEqual({ kept: [{ a: 1 }], changed: [world.cwd] });
    expect(given.kept).toBe(value.kept);
    expect(value.changed).toEqual(['${cwd}']);
  });

  test('reads back any text whose ${ were escaped', () => {
    const pieces = fc.array(fc.oneof(fc.constantFrom('$', '{', '${', '}', '$$', '${cwd}'), fc.string()), { maxLength: 8 });
    fc.assert(
      fc.property(
        pieces,
        (texts) =>
          substitute(
            texts.join('').replaceAll('${', () => '$${'),
            scopeFor(),
          ) === texts.join(''),
      ),
    );
  });

  test('throws nothing but typed errors, whatever it is given', () => {
    const body = fc.oneof(
      fc.constantFrom('env:', 'date:%', 'results[0].value', 'nodes.a.value', 'item', '.a', '[0]', '__proto__', ':-', '${', '}', '%Y'),
      fc.string({ unit: 'binary' }),
    );
    const text = fc.array(body, { maxLength: 5 }).map((parts) => `\${${parts.join('')}}`);
    fc.assert(
      fc.property(fc.oneof(text, fc.dictionary(fc.string(), text)), (value) => {
        const fault = faultOf(value, scopeFor({ index: 3, ancestors: ['a'] }));
        expect(fault instanceof FileAutomationException || fault.message.startsWith('no fault')).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('says which reference failed, why, and what to do', () => {
    expect(faultOf('a ${env:NOPE} b', scopeFor())).toMatchObject({
      name: 'SubstitutionException',
      message: '${env:NOPE} cannot be replaced: NOPE is not set; set it or add a fallback: ${env:NOPE:-text}.',
      context: { reference: '${env:NOPE}' },
    });
  });

  test('cuts a long reference in its message', () => {
    expect(faultOf(`\${${'x'.repeat(100_000)}`, scopeFor()).message.length).toBeLessThan(500);
  });

  test('lets errors of the scope through unchanged', () => {
    const refusal = new PolicyException('Not you.');
    const refuse = () => {
      throw refusal;
    };
    expect(faultOf('${env:X:-y}', { ...scopeFor(), env: refuse })).toBe(refusal);
    expect(faultOf('${results[0].value}', { ...scopeFor(), result: refuse })).toBe(refusal);
    expect(faultOf('${nodes.a.value}', { ...scopeFor(), node: refuse })).toBe(refusal);
  });

  test('knows item, index, event and schedule where they have a value', () => {
    const named = new Map<string, unknown>([
      ['item', { path: 'a.txt', tags: ['x'] }],
      ['index', 0],
    ]);
    const scope = { ...scopeFor(), named };
    expect(substitute(['${item}', '${index}', '${index}: ${item.path} ${item.tags[0]}'], scope)).toEqual([
      named.get('item'),
      0,
      '0: a.txt x',
    ]);
    expect(faultOf('${event.path}', scope)).toMatchObject({ message: expect.stringContaining('the list of a watcher') });
  });

  test('takes an id of a node with any characters up to .value', () => {
    expect(substitute('${nodes.build app.v1.value.s}', scopeFor({ ancestors: ['build app.v1'] }))).toBe('txt');
  });

  test('tells when the date is filled in', () => {
    let told = 0;
    const scope = {
      ...scopeFor(),
      onDate: () => {
        told += 1;
      },
    };
    substitute(['${uuid}', '${cwd}', '$${date}'], scope);
    expect(told).toBe(0);
    substitute(['${date}', 'x-${date:%Y}'], scope);
    expect(told).toBe(2);
  });

  test('does not know a name whose value only a real run has', () => {
    const scope = { ...scopeFor(), named: new Map<string, unknown>([['item', LATER]]) };
    for (const text of ['${item}', 'x-${item}', '${item.key}']) expect(() => substitute(text, scope)).toThrow(NotYetKnown);
  });

  test('fills a text up to a mebibyte and passes a longer value on only as a whole', () => {
    const scope = { ...scopeFor(), result: () => 'ä'.repeat(512 * 1024) };
    expect(substitute('${results[0].value}$${', { ...scope, result: () => 'a'.repeat(1024 * 1024 - 2) })).toHaveLength(1024 * 1024);
    expect(faultOf('${results[0].value}!', scope)).toBeInstanceOf(SubstitutionException);
    expect(substitute('${results[0].value}', { ...scope, result: () => 'a'.repeat(2_000_000) })).toHaveLength(2_000_000);
  });

  test('fills a thousand references in one text and no more', () => {
    expect(substitute('${cwd}'.repeat(1000), scopeFor())).toBe(world.cwd.repeat(1000));
    expect(faultOf('${cwd}'.repeat(1001), scopeFor())).toBeInstanceOf(SubstitutionException);
  });
});
