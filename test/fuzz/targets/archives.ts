import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildRar4, buildRar5 } from '../../support/archives/build-rar.ts';
import { buildTar } from '../../support/archives/build-tar.ts';
import { buildZip } from '../../support/archives/build-zip.ts';
import { namesIn } from '../../support/archives/tree.ts';
import { Broken, type Target } from '../target.ts';
import { openFuzzHouse } from './house.ts';

const KITCHEN = {
  root: '/nowhere',
  archive: (id: string): Buffer => {
    throw new Error(`no recipe ${id}`);
  },
};
const ENTRIES = [
  { type: 'dir', name: 'd/' },
  { type: 'file', name: 'd/a.txt', data: 'some words, some words' },
  { type: 'file', name: 'b', data: 'x'.repeat(300) },
];
const NAMES = [
  '../',
  '/',
  '..\\',
  'C:',
  '\0',
  '.factotum-',
  'a/../../b',
  'CON',
  '/proc/self/',
  'ustar',
  'PK\u0003\u0004',
  'PK\u0001\u0002',
  'PK\u0005\u0006',
];

/** An archive: what is listed and unpacked is typed or right, and nothing of it lands outside of its target. */
const archive = (file: string, examples: readonly Buffer[]): Target => ({
  examples,
  words: NAMES,
  async open() {
    const fuzz = openFuzzHouse();
    const { dir } = fuzz.house;
    const outside = () => JSON.stringify([namesIn(dir.at('outside')), readdirSync(dir.path).sort()]);
    const before = outside();
    return {
      async check(input) {
        writeFileSync(dir.at(`in/${file}`), input);
        const result = await fuzz.run([
          ['FA_list_archive', [`in/${file}`]],
          ['FA_extract_archive', { source: `in/${file}`, target: 'in/x' }],
        ]);
        if (outside() !== before) throw new Broken(`it wrote outside: ${outside()}`);
        const [listed, extracted] = result?.results ?? [];
        if (extracted?.status === 'failed' && existsSync(dir.at('in/x'))) throw new Broken('a refused archive left its target');
        if (extracted?.status === 'ok' && listed?.status !== 'ok') throw new Broken(`unpacked, but not listed: ${JSON.stringify(listed)}`);
        for (const name of readdirSync(dir.at('in')))
          if (name !== 'keep' && name !== file) rmSync(dir.at(`in/${name}`), { recursive: true, force: true });
      },
      [Symbol.asyncDispose]: () => fuzz[Symbol.asyncDispose](),
    };
  },
});

const tar = buildTar(ENTRIES, KITCHEN);

/** A file that was encrypted: changed at any place it is refused, and leaves nothing. */
const encrypted: Target = {
  examples: [Buffer.from('some words'), Buffer.from('x'.repeat(200_000)), Buffer.alloc(0)],
  words: ['\0\0\0\0', '\u0001'],
  async open() {
    const fuzz = openFuzzHouse();
    const { dir } = fuzz.house;
    const KEY = '0123456789abcdef0123456789abcdef';
    await fuzz.run([['FA_encrypt_file', { source: 'in/keep', target: 'in/sealed', key: KEY }]]);
    return {
      // The input says what is changed: the first bytes where, the rest to what.
      async check(input) {
        writeFileSync(dir.at('in/plain'), input.subarray(0, 5_000));
        await fuzz.run([['FA_encrypt_file', { source: 'in/plain', target: 'in/sealed', key: KEY }]]);
        const sealed = Buffer.from(readFileSync(dir.at('in/sealed')));
        const place = input.length < 2 ? 0 : input.readUInt16LE(0) % sealed.length;
        sealed[place] = (sealed[place] ?? 0) ^ ((input[2] ?? 0) | 1);
        writeFileSync(dir.at('in/sealed'), sealed);
        const result = await fuzz.run([['FA_decrypt_file', { source: 'in/sealed', target: 'in/opened', key: KEY }]]);
        if (result?.results[0]?.status !== 'failed' || existsSync(dir.at('in/opened')))
          throw new Broken(`byte ${place} was changed unseen`);
      },
      [Symbol.asyncDispose]: () => fuzz[Symbol.asyncDispose](),
    };
  },
};

export const archives = {
  zip: archive('o.zip', [
    buildZip(ENTRIES, KITCHEN, {}),
    buildZip(
      [
        { type: 'file', name: 'a', data: 'words words words', method: 'deflate' },
        { type: 'link', name: 'l', target: 'a' },
      ],
      KITCHEN,
      {},
    ),
  ]),
  tar: archive('o.tar', [
    tar,
    buildTar(
      [
        { type: 'file', name: `${'n'.repeat(150)}/f`, data: 'x' },
        { type: 'symlink', name: 'l', target: 'd' },
      ],
      KITCHEN,
    ),
  ]),
  tgz: archive('o.tar.gz', [gzipSync(tar)]),
  rar: archive('o.rar', [buildRar5([{ name: 'first', data: 'words' }]), buildRar4([{ name: 'first', data: 'words' }])]),
  encrypted,
};
