// Runs a list as the command line does, and is killed on the way or not: node killed-child.mjs <directory> <file>
import { readFileSync } from 'node:fs';
import { openShortLived } from '../../../src/app/command-line/short-lived.ts';

const [directory = '', file = ''] = process.argv.slice(2);
process.chdir(directory);
const list: unknown = JSON.parse(readFileSync(file, 'utf8'));
const opened = await openShortLived({
  env: process.env,
  version: 'test',
  log: { level: 'silent' },
  startTidying() {},
  warn: (message) => process.stderr.write(`${message}\n`),
});
await opened.factotum.validate(list); // so that the code is loaded before anybody kills
process.stdout.write('ready');
const { result } = await opened.run(list, { signal: new AbortController().signal, keepsHistory: true });
await opened[Symbol.asyncDispose]();
process.stdout.write(JSON.stringify(result));
