import { expect, test } from 'vitest';
import { readSink } from '../../app/state/read-sink.ts';
import { sinkWarnings } from './sink-warnings.ts';

const SECRET = 'T0PSECRET';
const MAIL = { type: 'email', name: 'x', sender: 'a@b.example', recipients: ['a@b.example'] };

test.each([
  [{ type: 'webhook', name: 'x', url: `htp://hook.example/${SECRET}` }, /only http and https/],
  [{ type: 'webhook', name: 'x', url: `http://192.168.1.4/${SECRET}` }, /allow private hosts/],
  [{ type: 'slack', name: 'x', webhook_url: `https://user:${SECRET}@hook.example/` }, /user name or password/],
  [{ type: 'teams', name: 'x', webhook_url: `hook.example/${SECRET}` }, /not a whole URL/],
  [{ ...MAIL, host: 'localhost' }, /this machine or network/],
])('a sink that could never get anything is told: %j', async (table, why) => {
  const warnings = sinkWarnings([await readSink(table)]);
  expect(warnings).toEqual([expect.stringMatching(why)]);
  expect(warnings[0]).toMatch(/^The sink x will get nothing/);
  expect(warnings[0]).not.toContain(SECRET);
});

test.each([
  { type: 'webhook', name: 'x', url: 'https://hook.example/in' },
  { type: 'webhook', name: 'x', url: '${env:HOOK}' },
  { type: 'webhook', name: 'x', url: 'http://192.168.1.4/', allow_private_hosts: true },
  { ...MAIL, host: 'mail.example.com' },
  { type: 'telegram', name: 'x', bot_token: 't', chat_id: '1' },
])('one that may be reached is not: %j', async (table) => expect(sinkWarnings([await readSink(table)])).toEqual([]));
