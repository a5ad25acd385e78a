import { describe, expect, test } from 'vitest';
import { defineAction } from '../../core/action.ts';
import { flag, integer, list, path } from '../../core/args.ts';
import { aboutAction, prepareAction } from '../../core/ready.ts';
import * as shapes from '../../core/shapes.ts';
import { openCli } from '../cli.ts';
import { parse } from '../parser.ts';
import { argumentsOf, normalise } from './action-arguments.ts';
import { type ActionCall, actionParser, execCallOf } from './action-parser.ts';

const search = defineAction({
  name: 'FA_search',
  summary: 'Looks for words below a root.',
  args: {
    words: list('The words.', shapes.text()),
    root: path('Where to look.', { role: 'reads' }),
    deep_: flag('Look below too.', { default: false }),
    limit: integer('Most answers.', { default: 10 }),
  },
  returns: shapes.nothing(),
  examples: [],
  run: () => null,
});
const ready = prepareAction(search, aboutAction(search, 'search', 'search'));
const call = execCallOf(ready);

const read = (words: readonly string[], given: ActionCall = call) => {
  const parser = actionParser(given, openCli('0.0.0'));
  parse(parser, normalise(words, ready));
  return argumentsOf(given, parser, async () => Buffer.alloc(0));
};

describe('words in order', () => {
  test('a list leaves a word for every argument that must have one', async () => {
    expect(await read(['a', 'b', 'src'])).toEqual({ words: ['a', 'b'], root: 'src' });
    expect(await read(['a', 'src'])).toEqual({ words: ['a'], root: 'src' });
  });

  test('go to what has no option', async () => {
    expect(await read(['--root', 'src', 'a', 'b'])).toEqual({ words: ['a', 'b'], root: 'src' });
    expect(await read(['--words', 'a', 'src'])).toEqual({ words: ['a'], root: 'src' });
  });

  test('a missing one is named', async () => {
    await expect(read(['a'])).rejects.toThrow('FA_search needs --root: Where to look.');
  });
});

test('flags are written in every usual way; a name that ends with _ loses it', async () => {
  for (const words of [['--deep'], ['--deep=true']]) expect(await read(['a', 'src', ...words])).toMatchObject({ deep_: true });
  for (const words of [['--no-deep'], ['--no_deep'], ['--deep=false']]) {
    expect(await read(['a', 'src', ...words])).toMatchObject({ deep_: false });
  }
});

describe('a short form', () => {
  const short: ActionCall = {
    ...call,
    name: 'look',
    positional: ['words', 'root'],
    shown: ['words', 'root'],
    preset: { root: '.', limit: 5 },
  };

  test('has its own order and defaults', async () => {
    expect(await read(['a'], short)).toEqual({ words: ['a'], root: '.', limit: 5 });
    expect(await read(['a', '--root', 'src', '--limit', '7'], short)).toEqual({ words: ['a'], root: 'src', limit: 7 });
  });

  test('says them in its help', () => {
    const help = actionParser(short, openCli('0.0.0')).helpInformation();
    expect(help).toContain('Usage: factotum look WORDS… [ROOT] [options]');
    expect(help).toMatch(/--root <path> +Where to look\. \(default: \.\)/);
  });
});
