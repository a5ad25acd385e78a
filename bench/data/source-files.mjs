// Set C: 20,000 files that read like source code, 1.02 GB; one word stands in 309 lines, another in 309,151.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from './random.mjs';

export const RARE_WORD = 'parseQuasarHeader';
export const RARE_LINES = 309;
export const FREQUENT_WORD = 'registerHandler';
export const FREQUENT_LINES = 309_151;

const FILES = 20_000;
const FILES_PER_FOLDER = 50;
const FOLDERS_PER_BRANCH = 20;
const FILE_BYTES = 51_000;
const WORDS =
  'buffer index value result count offset stream entry cache queue node token state cursor parser writer reader option target source'.split(
    ' ',
  );
const VERBS = 'get set read write push find make open close check merge split apply build fetch store'.split(' ');
const ENDINGS = ['ts', 'js', 'c', 'h', 'go', 'rs', 'py'];

export const writeSourceFiles = (root) => {
  const random = createRandom(0xc);
  const lines = Array.from({ length: 8_192 }, () => Buffer.from(`${lineOf(random)}\n`));
  const buffer = Buffer.allocUnsafeSlow(FILE_BYTES + 4_096);
  /** Spread evenly: the files from one multiple of the step to the next hold one more line each. */
  const share = (total, file) => Math.floor(((file + 1) * total) / FILES) - Math.floor((file * total) / FILES);
  for (let file = 0; file < FILES; file += 1) {
    const folder = Math.floor(file / FILES_PER_FOLDER);
    const path = join(root, `package-${pad(Math.floor(folder / FOLDERS_PER_BRANCH), 2)}`, `module-${pad(folder, 3)}`);
    if (file % FILES_PER_FOLDER === 0) mkdirSync(path, { recursive: true });
    const marked = [...marks(RARE_WORD, share(RARE_LINES, file)), ...marks(FREQUENT_WORD, share(FREQUENT_LINES, file))];
    const gap = Math.floor(FILE_BYTES / (marked.length + 1));
    let end = 0;
    for (let next = gap; end < FILE_BYTES; ) {
      const line = end >= next && marked.length > 0 ? marked.pop() : lines[random(lines.length)];
      if (end >= next) next += gap;
      end += line.copy(buffer, end);
    }
    for (const line of marked) end += line.copy(buffer, end);
    writeFileSync(join(path, `unit-${pad(file, 5)}.${ENDINGS[random(ENDINGS.length)]}`), buffer.subarray(0, end));
  }
};

const marks = (word, count) =>
  Array.from({ length: count }, (_, at) => Buffer.from(`  const handle${at} = ${word}(state, ${at}); // see above\n`));

const pick = (list, random) => list[random(list.length)];

const nameOf = (random) => {
  const noun = pick(WORDS, random);
  return `${pick(VERBS, random)}${noun[0].toUpperCase()}${noun.slice(1)}`;
};

const lineOf = (random) => {
  const indent = ' '.repeat(2 * random(5));
  switch (random(6)) {
    case 0:
      return '';
    case 1:
      return `${indent}}`;
    case 2:
      return `${indent}// ${Array.from({ length: 4 + random(8) }, () => pick(WORDS, random)).join(' ')}`;
    case 3:
      return `${indent}if (${nameOf(random)}(${pick(WORDS, random)}, ${random(1_000)}) !== undefined) return ${pick(WORDS, random)};`;
    case 4:
      return `${indent}const ${pick(WORDS, random)}${random(100)} = ${nameOf(random)}(${pick(WORDS, random)}.${pick(WORDS, random)}, '${pick(WORDS, random)}');`;
    default:
      return `${indent}for (let ${pick(WORDS, random)} = 0; ${pick(WORDS, random)} < ${random(10_000)}; ${pick(WORDS, random)} += 1) ${nameOf(random)}();`;
  }
};

const pad = (number, width) => String(number).padStart(width, '0');
