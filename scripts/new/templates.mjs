/** A small action that works: it writes a greeting to a file. */
export const actionSource = ({ action, export: name, type }) => `import { defineAction } from '../../core/action.ts';
import { path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import * as shapes from '../../core/shapes.ts';

interface ${type}Args {
  readonly file_path: string;
  readonly name: string;
}

// One function over the file port: a dry run hands it a port that only records, so plan and run cannot differ.
const carryOut = async ({ files, signal }: Context, { file_path, name }: ${type}Args): Promise<boolean> => {
  await files.write(file_path, Buffer.from(\`Hello, \${name}!\\n\`), { signal });
  return true;
};

export const ${name} = defineAction({
  name: '${action}',
  summary: 'Writes a greeting to a file.',
  args: {
    file_path: path('The file to write; its directory must exist.', { role: 'writes' }),
    name: text('Who is greeted.', { default: 'world' }),
  },
  returns: shapes.flag(),
  idempotent: true,
  examples: [{ args: { file_path: 'hello.txt' }, value: true, leaves: { 'hello.txt': 'Hello, world!\\n' } }],
  plan: carryOut,
  run: carryOut,
});
`;

/** Its test: one that succeeds, one that is refused. */
export const testSource = ({ action }) => `import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { createInstance } from '../../app/create.ts';

test('greets by name', async () => {
  using dir = tempDir();
  await using factotum = createInstance({ cwd: dir.path, log: { level: 'silent' } });
  const { results } = await factotum.run([['${action}', { file_path: 'hello.txt', name: 'you' }]]);
  expect(results[0]).toMatchObject({ status: 'ok', value: true });
  expect(dir.read('hello.txt')).toBe('Hello, you!\\n');
});

test('refuses the path of a directory', async () => {
  using dir = tempDir({ 'taken/other.txt': '' });
  await using factotum = createInstance({ cwd: dir.path, log: { level: 'silent' } });
  const { results } = await factotum.run([['${action}', { file_path: 'taken' }]]);
  expect(results[0]).toMatchObject({ status: 'failed', error: { context: { path: dir.at('taken') } } });
});
`;

/** A family of one action. */
export const familySource = ({
  file,
  export: name,
  family,
  familyExport,
}) => `// The ${family} family: say what lives here, what does not, and where to read on.
// Read ${file}.ts first.
import { defineFamily } from '../../core/action.ts';
import { ${name} } from './${file}.ts';

export const ${familyExport} = defineFamily({
  name: '${family}',
  group: '${family}',
  summary: 'Greetings.',
  actions: [${name}],
});
`;
