import { args, defineAction, shapes } from 'factotum';

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
    const greeting = `Hello, ${name}!`;
    await files.write(file_path, new TextEncoder().encode(greeting), { signal });
    return greeting;
  },
});
