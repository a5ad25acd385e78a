import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConfigException } from '../../core/errors.ts';
import { excerptAt, readToml } from './read-toml.ts';

const faultOf = (text: string): ConfigException => {
  try {
    readToml({ path: 'f.toml', text });
  } catch (fault) {
    if (fault instanceof ConfigException) return fault;
    throw fault;
  }
  throw new Error('it was read');
};

describe('a file that is not TOML', () => {
  test.each([
    ['a = 1\n[http\nport = 1', 2],
    ['a = 1\na = 2', 2],
    ['a = "x\nb = 1', 1],
    ['a = hunter2', 1],
    ['[connections.__proto__]\ntype = "s3"', 1],
    [`a = ${'['.repeat(100)}${']'.repeat(100)}`, 1],
    ['a = 99999999999999999999', 1],
  ])('%j is refused with its line', (text, line) => {
    const { message, context } = faultOf(text);
    expect(message).toMatch(new RegExp(`^f\\.toml:${line}:\\d+: this is not TOML: [^\\n]+\\.$`));
    expect(context).toMatchObject({ line, excerpt: { text: expect.any(String) } });
  });

  test('shows the line without what may be a secret', () => {
    const texts = [
      'a = "hunter2\n',
      "a = 'hunter2\n",
      'a = hunter2\n',
      'a = """\nhunter2\n',
      'b = ["hunter2" "hunter2"]\n',
      'a = "x" "hunter2"',
    ];
    for (const text of texts) expect(JSON.stringify(faultOf(text)), text).not.toContain('hunter2');
  });
});

describe('the line of a place', () => {
  test.each([
    ['secret = "hunter2" # why', 'secret = "*******" # why'],
    ['secret = "with \\" and \'" # "x"', 'secret = "*************" # "x"'],
    ['port = 9944', 'port = 9944'],
    ["at = { a = true, b = 'x' }", "at = { a = true, b = '*' }"],
    ['list = [1, "two", 3]', 'list = [1, "***", 3]'],
    ['secret = """one"""', 'secret = """***"""'],
  ])('%j is shown as %j', (line, shown) => {
    expect(excerptAt(`first = 1\n${line}\nlast = 1`, 10)).toEqual({ text: shown, pointer: 1 });
  });

  test('covers every line of a text of several', () => {
    expect(excerptAt('a = """\nhunter2\n"""\nb = 1', 8).text).toBe('*******');
  });

  test('keeps the columns of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a="\'#\n\\[ ') }), (text) => {
        const { pointer } = excerptAt(text, text.length);
        expect(pointer).toBe(text.length - text.lastIndexOf('\n'));
      }),
    );
  });
});
