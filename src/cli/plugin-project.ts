/** The files of a package that adds actions: one with a definition, one plain function, a test of both, and a page. */
export const pluginFiles = (name: string): Record<string, string> => ({
  'package.json': `${JSON.stringify(manifestOf(name), null, 2)}\n`,
  'actions.js': ACTIONS,
  'actions.test.js': TEST,
  'README.md': readmeOf(name),
});

const manifestOf = (name: string) => ({
  name,
  version: '0.1.0',
  description: 'Actions for factotum.',
  type: 'module',
  exports: './actions.js',
  files: ['actions.js'],
  factotum: { actions: './actions.js' },
  scripts: { test: 'node --test' },
  peerDependencies: { factotum: '*' },
});

const ACTIONS = `import { args, defineAction, shapes } from 'factotum';

/** What this package adds: the names of actions, and for each a definition or a plain function. */
export const actions = () => ({
  hello_greet: greet,
  hello_shout: (words) => words.toUpperCase(),
});

// A definition is checked, documented, planned and offered to assistants like the built-in ones.
const greet = defineAction({
  name: 'hello_greet',
  summary: 'Writes a greeting into a file.',
  args: {
    file_path: args.path('The file.', { role: 'writes' }),
    name: args.text('Whom to greet.', { default: 'world' }),
  },
  returns: shapes.text(),
  idempotent: true,
  examples: [{ args: { file_path: 'hello.txt' }, value: 'Hello, world!', leaves: { 'hello.txt': 'Hello, world!' } }],
  async run({ files, signal }, { file_path, name }) {
    const greeting = \`Hello, \${name}!\`;
    await files.write(file_path, new TextEncoder().encode(greeting), { signal });
    return greeting;
  },
});
`;

const TEST = `import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFactotum } from 'factotum';
import { actions } from './actions.js';

test('both actions do what they say', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'hello-'));
  const factotum = createFactotum({ cwd });
  factotum.registry.registerMany(actions());
  try {
    const { results } = await factotum.run([
      ['hello_greet', { file_path: 'a.txt', name: 'Ada' }],
      ['hello_shout', ['\${results[0].value}']],
    ]);
    const values = results.map(({ value }) => value);
    assert.deepEqual(values, ['Hello, Ada!', 'HELLO, ADA!']);
    assert.equal(await readFile(join(cwd, 'a.txt'), 'utf8'), 'Hello, Ada!');
  } finally {
    await factotum.close();
    await rm(cwd, { recursive: true });
  }
});
`;

const readmeOf = (name: string): string => `# ${name}

Actions for factotum: \`hello_greet\` writes a greeting into a file, \`hello_shout\` gives its words back in capitals.

    npm install factotum --no-save    what the test needs
    npm test

To use it, install the package in the project where factotum runs. It is found by \`factotum.actions\` in its package.json; the
directory can also be named in \`factotum.toml\`:

    [plugins]
    paths = ["/path/to/${name}"]

A plugin runs with all rights of factotum: install only what you trust.
`;
