import { expect, test } from 'vitest';
import * as door from '../../src/client/index.ts';

test('the door of the client exports exactly these names', () => {
  expect(Object.keys(door).sort()).toEqual([
    'ActionFailure',
    'HTTPActionClient',
    'HTTPActionClientException',
    'errors',
    'literal',
    'unchecked',
  ]);
});

test('a client can do exactly this', () => {
  expect(Object.getOwnPropertyNames(door.HTTPActionClient.prototype).sort()).toEqual([
    'actions',
    'call',
    'cancel',
    'constructor',
    'describe',
    'execute',
    'follow',
    'followProgress',
    'health',
    'ping',
    'plan',
    'ready',
    'resume',
    'run',
    'runs',
    'start',
    'undo',
  ]);
});
