import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { OWNER } from '../../access/caller.ts';
import { createPolicy } from '../../access/policy.ts';

test('a public address is given back, a private one refused unless it is allowed', async () => {
  await using house = openHouse();
  const { results } = await house.run([
    ['FA_validate_http_url', ['https://93.184.216.34/a?b=c']],
    ['FA_validate_http_url', ['http://10.1.2.3/']],
    ['FA_validate_http_url', { url: 'http://10.1.2.3/', allow_private: true }],
    ['FA_validate_http_url', { url: 'http://169.254.169.254/', allow_private: true }],
  ]);
  expect(results).toMatchObject([
    { status: 'ok', value: 'https://93.184.216.34/a?b=c' },
    { status: 'failed', error: { type: 'UrlValidationException', context: { reason: 'address' } } },
    { status: 'ok', value: 'http://10.1.2.3/' },
    { status: 'failed', error: { type: 'UrlValidationException', context: { reason: 'address' } } },
  ]);
});

test('credentials in a refused URL are not shown', async () => {
  await using house = openHouse();
  const { results } = await house.run([['FA_validate_http_url', ['https://u:hunter2@host.example/x']]]);
  expect(results[0]?.error?.message).toContain('https://***@host.example/x');
  expect(JSON.stringify(results[0]?.error)).not.toContain('hunter2');
});

test('a caller without the network may not even look a name up', async () => {
  await using house = openHouse();
  const caller = { ...OWNER, name: 'limited', policy: createPolicy({}) };
  const { results } = await house.factotum.run([['FA_validate_http_url', ['https://93.184.216.34/']]], { caller });
  expect(results).toMatchObject([{ status: 'failed', error: { type: 'PolicyException' } }]);
});
