import { describe, expect, test } from 'vitest';
import { defineAction } from './action.ts';
import { flag, path, text } from './args.ts';
import { describeAction } from './describe.ts';
import { aboutAction, prepareAction, prepareFunction } from './ready.ts';
import * as shapes from './shapes.ts';

describe('the description of an action', () => {
  test('says what its definition says', () => {
    const action = defineAction({
      name: 'FA_new',
      aliases: ['FA_old'],
      deprecated: { since: '1.2.0', use: 'FA_newer' },
      summary: 'Does it.',
      args: {
        file: path('The file.', { role: 'reads' }),
        note: text('A note.', { default: null }),
        quiet: flag('Say nothing.', { default: false }),
      },
      returns: shapes.flag(),
      idempotent: true,
      examples: [{ args: { file: 'a' } }],
      run: () => true,
    });
    expect(describeAction(prepareAction(action, aboutAction(action, 'things', 'files')))).toEqual({
      name: 'FA_new',
      family: 'things',
      group: 'files',
      aliases: ['FA_old'],
      deprecated: { since: '1.2.0', use: 'FA_newer' },
      summary: 'Does it.',
      effects: ['reads'],
      idempotent: true,
      arguments: {
        type: 'object',
        properties: {
          file: { description: 'The file.', type: 'string', minLength: 1 },
          note: { description: 'A note.', type: ['string', 'null'], default: null },
          quiet: { description: 'Say nothing.', type: 'boolean', default: false },
        },
        required: ['file'],
        additionalProperties: false,
      },
      order: ['file', 'note', 'quiet'],
      returns: { type: 'boolean' },
      examples: [{ args: { file: 'a' } }],
    });
  });

  test('lets a plain function take anything', () => {
    expect(describeAction(prepareFunction('FA_plain', () => 1))).toMatchObject({
      name: 'FA_plain',
      effects: ['executes'],
      idempotent: false,
      arguments: { type: 'object', additionalProperties: true },
    });
  });
});
