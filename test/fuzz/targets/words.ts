import { isIP } from 'node:net';
import { nextFires } from '../../../src/lib/cron/next-fire.ts';
import { parseCron } from '../../../src/lib/cron/parse-cron.ts';
import { openTimeZone } from '../../../src/lib/cron/time-zone.ts';
import { classOfAddress } from '../../../src/lib/net/address-class.ts';
import { judgeUrl } from '../../../src/lib/net/judge-url.ts';
import { compileGlob } from '../../../src/lib/text/globs.ts';
import { Broken, type Target } from '../target.ts';
import { typed } from './house.ts';

/** A reader of short texts that needs nothing else. */
const reader = (examples: readonly string[], words: readonly string[], check: (text: string) => void): Target => ({
  examples: examples.map((text) => Buffer.from(text)),
  words,
  open: async () => ({
    async check(input) {
      try {
        check(input.toString());
      } catch (fault) {
        if (fault instanceof Broken) throw fault;
        typed(fault);
      }
    },
    [Symbol.asyncDispose]: async () => {},
  }),
});

const PATHS = ['', 'a', 'a/b', '.hidden/x', 'a/b/c.txt', 'ä/😀', 'a\\b', `${'a/'.repeat(40)}b`, 'a'.repeat(200)];

/** Matching takes time by its length, not by its power: all paths against one pattern in a moment. */
const globs = reader(
  ['*.txt', 'a/**/b', '{a,b,{c,d}}/*.{js,ts}', '[!a-z]?[^x]*', '**', '\\*.md'],
  ['**', '*', '?', '[', ']', '{', '}', ',', '!', '/', '\\', '[a-z]', '{a,b}', '..'],
  (text) => {
    const glob = compileGlob(text, { dot: true });
    for (const path of PATHS) glob.test(path);
  },
);

const ZONE = openTimeZone('Europe/Berlin');
const FROM = Date.UTC(2026, 2, 28);

/** The next times rise, and each is one that the expression names. */
const cron = reader(
  ['* * * * *', '*/5 1-3 * jan,mar mon-fri', '0 0 29 2 *', '59 23 31 12 7', '1,*/10,5-9/2 * * * *'],
  ['*', '/', '-', ',', ' ', '@daily', 'jan', 'sun', '0', '59', '31', '\t', 'L', '#'],
  (text) => {
    const fires = nextFires(parseCron(text), ZONE, FROM, 5);
    for (const [at, fire] of fires.entries()) if (fire <= (fires[at - 1] ?? FROM)) throw new Broken(`times do not rise: ${fires.join()}`);
  },
);

/** What passes is HTTP to a name or a public address, as the platform reads the same text. */
const urls = reader(
  [
    'https://example.com/a?b#c',
    'http://93.184.216.34:8080/',
    'http://[2606:2800:220:1:248:1893:25c8:1946]/',
    'http://127.0.0.1/',
    'http://0x7f.1/',
    'http://[::ffff:169.254.169.254]/',
  ],
  [
    '@',
    ':',
    '//',
    '[',
    ']',
    '%',
    '127.0.0.1',
    '::1',
    '0x7f000001',
    '169.254.169.254',
    'localhost',
    '。',
    'ⓛ',
    '.',
    '\\',
    '#',
    '?',
    '\t',
    'http:',
    'xn--',
  ],
  (text) => {
    const { url, host } = judgeUrl(text);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Broken(`another scheme: ${url.protocol}`);
    if (url.username !== '' || url.password !== '') throw new Broken('somebody is named in it');
    const read = new URL(text).hostname.replace(/^\[|\]$/g, '');
    if (isIP(read) !== 0 && classOfAddress(read) !== 'public') throw new Broken(`${read} is ${classOfAddress(read)}`);
    if (/(?:^|\.)localhost\.?$/i.test(host)) throw new Broken(`this machine by name: ${host}`);
  },
);

export const words = { globs, cron, urls };
