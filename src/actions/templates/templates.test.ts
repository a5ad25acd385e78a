import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-ms.ts';
import { openHouse } from '../../../test/support/house.ts';
import { createPolicy } from '../../access/policy.ts';
import { render } from '../../lib/template/render.ts';

interface Case {
  readonly id: string;
  readonly engine: 'block' | 'dollar' | 'file';
  readonly template: unknown;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly context_json?: string;
  readonly autoescape?: boolean;
  readonly output_path?: string;
  readonly expect: { readonly ok: boolean; readonly text?: string; readonly error?: string; readonly target_unchanged?: boolean };
  readonly why: string;
}

const { cases }: { readonly cases: readonly Case[] } = JSON.parse(readFileSync('test/fixtures/corpus/templates-evil.json', 'utf8'));

/** Builds what the corpus describes: long texts and lists are not written out in it. */
const built = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(built);
  if ('repeat' in value && Array.isArray(value.repeat)) return String(value.repeat[0]).repeat(Number(value.repeat[1]));
  if ('array_of' in value) return Array.from({ length: Number(value.array_of) }, (_, at) => at);
  if ('parts' in value && Array.isArray(value.parts)) return value.parts.map(built).join('');
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, built(item)]));
};

const contextOf = ({ context, context_json }: Case): Record<string, unknown> =>
  context_json === undefined ? (built(context) as Record<string, unknown>) : JSON.parse(context_json);

/** A refused text may also be rendered, if nothing of the program shows in it. */
const SHOWS_THE_PROGRAM = /function|constructor|class|process|global|root:|\[object/;

describe('hostile templates', () => {
  test.each(cases.filter(({ engine }) => engine !== 'file').map((each) => [each.id, each.why, each] as const))(
    '%s: %s',
    async (_id, _why, each) => {
      const started = cpuMs();
      const outcome = await render(String(built(each.template)), contextOf(each), {
        engine: each.engine === 'block' ? 'liquid' : 'dollar',
        autoescape: each.autoescape ?? true,
      }).then(
        (text) => ({ text }),
        (fault: Error) => ({ type: fault.name }),
      );
      if (each.expect.ok) expect(outcome).toEqual({ text: each.expect.text });
      else if ('text' in outcome) expect(outcome.text).not.toMatch(SHOWS_THE_PROGRAM);
      else expect(outcome.type).toBe(each.expect.error);
      expect(cpuMs() - started).toBeLessThan(3_000);
    },
  );

  const inFiles = cases.filter(({ engine }) => engine === 'file');

  test.each(inFiles.map((each) => [each.id, each.why, each] as const))('%s: %s', async (_id, _why, each) => {
    await using house = openHouse({ files: { 'root/t.j2': String(each.template), 'root/exists.txt': 'old' } });
    const { createPolicy } = await import('../../access/policy.ts');
    const { OWNER } = await import('../../access/caller.ts');
    const policy = createPolicy({ readWrite: [house.dir.at('root')] });
    const caller = { ...OWNER, name: 'limited', policy };
    const paths = { template_path: 'root/t.j2', output_path: `root/${each.output_path}` };
    const { results } = await house.factotum.run([['FA_render_file', { ...paths, context: {} }]], { caller });
    // A path outside of a caller's roots is a matter of the policy here.
    expect(results[0]?.error?.type).toBe(each.expect.error === 'PathTraversalException' ? 'PolicyException' : each.expect.error);
    expect(house.dir.read('root/exists.txt')).toBe('old');
    expect(readdirSync(house.dir.path)).toEqual(['root']);
  });

  test('nothing was polluted on the way', () => {
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('limits', () => {
  const liquid = (template: string, context: Record<string, unknown> = {}) =>
    render(template, context, { engine: 'liquid', autoescape: true });

  test.each([
    [
      'growing by capture',
      '{% capture a %}xxxxxxxxxx{% endcapture %}{% for i in (1..100) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}',
    ],
    [
      'growing by raw capture',
      '{% capture a %}xxxxxxxxxx{% endcapture %}{% for i in (1..100) %}{% capture a %}{{ a | raw }}{{ a | raw }}{% endcapture %}{% endfor %}',
    ],
    ['growing by append', '{% assign a = "xxxxxxxxxx" %}{% for i in (1..100) %}{% assign a = a | append: a %}{% endfor %}'],
    ['a huge range', '{% for i in (1..1000000000) %}x{% endfor %}'],
    ['many rounds in a table', '{% tablerow i in (1..100001) %}{% endtablerow %}'],
    [
      'a long time',
      `{% for i in (1..90000) %}{{ i | append: "${'x'.repeat(500)}" | upcase | downcase | replace: 'x', 'y' | raw | truncate: 3 }}{% endfor %}`,
    ],
    ['many rounds of nothing', '{% for i in (1..400) %}{% for j in (1..400) %}{% endfor %}{% endfor %}'],
    ['a wide date', '{{ "now" | date: "%1000000000Y" }}'],
  ])('%s is stopped', async (_about, template) => {
    await expect(liquid(template)).rejects.toMatchObject({ type: 'QuotaExceededException' });
  });

  test('a long template is refused', async () => {
    await expect(liquid('x'.repeat(1024 * 1024 + 1))).rejects.toMatchObject({ type: 'TemplateException' });
  });

  test.each(['{% if a %}'.repeat(100_000), '{{ a | '.repeat(1_000), '{% liquid\n if a\n'.repeat(500)])(
    'what cannot be parsed is a broken template',
    async (template) => {
      await expect(liquid(template, { a: true })).rejects.toMatchObject({ type: 'TemplateException' });
    },
  );

  test.each([
    ['a machine that is busy with others does not stop a small template', 0, '12345'],
    ['a template that keeps the processor busy is stopped', 400_000, 'QuotaExceededException'],
  ])('%s', async (_about, workedUs, expected) => {
    const [clock, usage] = [vi.spyOn(performance, 'now'), vi.spyOn(process, 'cpuUsage')];
    let [now, user] = [0, 0];
    clock.mockImplementation(() => {
      now += 400;
      return now;
    });
    usage.mockImplementation(() => {
      user += workedUs;
      return { user, system: 0 };
    });
    try {
      const rendered = liquid('{% for i in (1..5) %}{{ i }}{% endfor %}').catch((fault: Error) => fault.name);
      expect(await rendered).toBe(expected);
    } finally {
      clock.mockRestore();
      usage.mockRestore();
    }
  });

  test('others have their turn while a loop runs', async () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 2;
      return now;
    });
    let isOver = false;
    let turns = 0;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    try {
      await liquid('{% for i in (1..50) %}{{ i }}{% endfor %}');
      expect(turns).toBeGreaterThan(1);
    } finally {
      isOver = true;
      clock.mockRestore();
    }
  });
});

describe('what a template can do', () => {
  test.each<[template: string, context: Record<string, unknown>, text: string]>([
    ['{{ s | length }} {{ xs | length }}', { s: 'abc', xs: [1, 2] }, '3 2'],
    ['{{ s | lower }}', { s: 'ABC' }, 'abc'],
    ['{{ s | raw }}{{ s | safe }}{{ s }}', { s: '<' }, '<<&lt;'],
    ['{{ a | default: "x" }}', { a: null }, 'x'],
    ['{{ xs | join: ", " }}', { xs: ['a', '<b>'] }, 'a, &lt;b&gt;'],
    ['{{ n }} {{ b }} {{ z }}', { n: 1.5, b: true, z: null }, '1.5 true '],
    ['{% assign __proto__ = "x" %}{% increment constructor %}', {}, '0'],
    ['{{ o | json }}', { o: { a: 1 } }, '{&quot;a&quot;:1}'],
  ])('%s', async (template, context, text) => {
    expect(await render(template, context, { engine: 'liquid', autoescape: true })).toBe(text);
  });

  test('an object has no text', async () => {
    for (const template of ['{{ o }}', '{{ o | append: "x" }}', '{{ o | upcase }}', '{{ o | raw }}']) {
      await expect(render(template, { o: { a: 1 } }, { engine: 'liquid', autoescape: false }), template).rejects.toMatchObject({
        type: 'TemplateException',
      });
    }
  });

  test('a file called .html is escaped with either language', async () => {
    await using house = openHouse({ files: { 'a.html': '$v', 'b.txt': '$v', 'c.html.j2': '{{ v }}' } });
    const { results } = await house.run(
      ['a.html', 'b.txt', 'c.html.j2'].map((template_path) => ['FA_render_file', { template_path, context: { v: '<' } }]),
    );
    expect(results.map(({ value }) => value)).toEqual(['&lt;', '<', '&lt;']);
  });
});

test('a template of a caller with limits ends with its run, whatever its filters do', async () => {
  await using house = openHouse();
  const stop = new AbortController();
  const template = `{% assign b = a %}${'{% assign b = b | append: b %}'.repeat(22)}{{ b | split: "" | sort | uniq | size }}`;
  const caller = { name: 'limited', policy: createPolicy({}), remote: true };
  const running = house.factotum.run([['FA_render_string', { template, context: { a: 'x' } }]], { caller, signal: stop.signal });
  setImmediate(() => stop.abort());
  const { results } = await running;
  expect(results).toMatchObject([{ status: 'cancelled', error: { type: 'CancelledException' } }]);
});

test('long templates and those of callers with limits are rendered as others are', async () => {
  await using house = openHouse();
  const caller = { name: 'limited', policy: createPolicy({}), remote: true };
  const short = { template: '{% for x in xs %}{{ x | upper }};{% endfor %}', context: { xs: ['a', 'b'] } };
  const long = { template: `${' '.repeat(70_000)}{{ a }}`, context: { a: '<' } };
  const { results } = await house.factotum.run([['FA_render_string', short]], { caller });
  expect(results).toMatchObject([{ value: 'A;B;' }]);
  expect((await house.run([['FA_render_string', long]])).results).toMatchObject([{ value: `${' '.repeat(70_000)}&lt;` }]);
});
