import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { RunResult } from '../../../src/core/result.ts';
import { readToml } from '../../../src/services/config/read-toml.ts';
import { Broken, type Target } from '../target.ts';
import { openFuzzHouse, typed } from './house.ts';

const texts = (...all: readonly string[]): Buffer[] => all.map((text) => Buffer.from(text));

/** A file of a caller, read by some commands; `judge` sees what they gave. */
const file = (
  name: string,
  {
    commands,
    judge,
    ...rest
  }: Pick<Target, 'examples' | 'words'> & {
    readonly commands: readonly unknown[] | ((text: string) => readonly unknown[]);
    judge?(result: RunResult): void;
  },
): Target => ({
  ...rest,
  async open() {
    const fuzz = openFuzzHouse({ 'in/target.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n' });
    return {
      async check(input) {
        writeFileSync(fuzz.house.dir.at(`in/${name}`), input);
        const result = await fuzz.run(typeof commands === 'function' ? commands(input.toString()) : commands);
        if (result !== undefined) judge?.(result);
      },
      [Symbol.asyncDispose]: () => fuzz[Symbol.asyncDispose](),
    };
  },
});

/** What was set is there, and nothing else has changed. */
const judgeSet = ({ results: [before, set, value, after] }: RunResult): void => {
  if (set?.status !== 'ok') return;
  if (value?.value !== 'new value') throw new Broken(`set, but it is ${JSON.stringify(value)}`);
  const without = (whole: unknown) => (isMap(whole) ? Object.fromEntries(Object.entries(whole).filter(([key]) => key !== 'set')) : whole);
  // A document that is begun and says nothing is null, and has room for a first key.
  if (before?.status === 'ok' && !isDeepStrictEqual(without(before.value ?? {}), without(after?.value ?? {})))
    throw new Broken(`other values have changed: ${JSON.stringify([before.value, after?.value])}`);
};

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

const setting = (kind: 'yaml' | 'json', path: string) => [
  [`FA_${kind}_get`, { path, key_path: '' }],
  [`FA_${kind}_set`, { path, key_path: 'set', value: 'new value' }],
  [`FA_${kind}_get`, { path, key_path: 'set' }],
  [`FA_${kind}_get`, { path, key_path: '' }],
];

const yaml = file('d.yaml', {
  examples: texts(
    'a: 1\nb:\n  - x\n  - y: [1, 2]\nc: |\n  text\n  more\n',
    '# comment\nbase: &b {x: 1}\nother:\n  <<: *b\n  y: 2\nset: old\n',
    '{"a": "b", c: !!str 1}\n---\n',
    'a: "\\u263a \\x41"\n? complex\n: value\n',
  ),
  words: [
    '&a ',
    '*a',
    '<<: ',
    '- ',
    ': ',
    '|-\n',
    '>\n',
    '!!',
    '%YAML 1.1\n',
    '---\n',
    '...\n',
    '"',
    "'",
    '{',
    '}',
    '[',
    '#',
    '\t',
    'set: ',
    '? ',
  ],
  commands: setting('yaml', 'in/d.yaml'),
  judge: judgeSet,
});

const json = file('d.json', {
  examples: texts('{"a": [1, 2.5e3, "x\\n"], "b": {"set": null}, "set": true}', '[{"a": 1}, {}]', '{}'),
  words: ['"__proto__"', '"set":', '1e400', '\\ud83d', '\\u0000', ',', ':', '{', '[', '-0', 'null', '"a":'],
  commands: setting('json', 'in/d.json'),
  judge: judgeSet,
});

/** Rows as JSON Lines and back by our own filter agree in number. */
const csv = file('d.csv', {
  examples: texts('id,name\r\n1,"said ""x"""\r\n2,plain\r\n', 'a;b\n1;2\n', '"a\nb",c\n1,2\n'),
  words: ['"', '""', ',', '\r\n', '\n', '\r', '\ufeff', '";"', '\0'],
  commands: [
    ['FA_csv_to_jsonl', ['in/d.csv', 'in/d.jsonl']],
    ['FA_csv_filter', { src: 'in/d.csv', target: 'in/f.csv' }],
    ['FA_jsonl_iter', { path: 'in/d.jsonl' }],
  ],
  judge({ results: [rows, filtered, read] }) {
    if (rows?.status === 'ok' && filtered?.status === 'ok' && rows.value !== filtered.value)
      throw new Broken(`${JSON.stringify(rows.value)} rows, filtered ${JSON.stringify(filtered.value)}`);
    if (rows?.status === 'ok' && read?.status === 'ok' && Array.isArray(read.value) && rows.value !== read.value.length)
      throw new Broken(`${JSON.stringify(rows.value)} rows, but ${read.value.length} lines`);
  },
});

const patch = file('p.patch', {
  examples: texts(
    '--- a/target.txt\n+++ b/target.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
    '--- target.txt\n+++ target.txt\n@@ -5,2 +5,3 @@\n five\n six\n+seven\n',
  ),
  words: [
    '@@ -1,1 +1,1 @@\n',
    '--- ',
    '+++ ',
    '-',
    '+',
    ' ',
    '\\ No newline at end of file\n',
    '@@ -999999999999 +1 @@\n',
    '/dev/null',
    '../',
  ],
  commands: (text) => [['FA_apply_patch', { target: 'in/target.txt', patch: text.replaceAll('$', '$$$$') }]],
});

const toml: Target = {
  examples: texts(
    '[server]\nport = 1\n[[tokens]]\nname = "x"\nroots = ["."]\n',
    'a.b = { c = 1, d = [1, 2.5, 1979-05-27T07:32:00Z] }\ns = """\ntext"""\n',
  ),
  words: ['[[', ']]', ' = ', '"""', "'''", '.', '__proto__', '0x', 'inf', 'nan', '{', '}', '\\u', '#', '1979-05-27'],
  open: async () => ({
    async check(input) {
      try {
        readToml({ path: 'factotum.toml', text: input.toString() });
      } catch (fault) {
        typed(fault);
      }
      if (Object.keys(Object.prototype).length > 0) throw new Broken('the prototype of all objects was changed');
    },
    [Symbol.asyncDispose]: async () => {},
  }),
};

export const data = { yaml, json, csv, patch, toml };
