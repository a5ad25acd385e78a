import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';

const KEY = 'hunter2-hunter2-hunter2-hunter2!';

test('a key is shown in no plan, log, error or result', async () => {
  await using house = openHouse({ files: { a: 'text' } });
  const encrypt = ['FA_encrypt_file', { source: 'a', target: 'b', key: KEY }];
  const planned = await house.run({ actions: [encrypt], dry_run: true });
  const wrong = await house.run([
    ['FA_encrypt_file', { source: 'a', target: 'b', key: [KEY] }],
    ['FA_encrypt_file', { source: KEY, target: 'b', key: KEY }],
  ]);
  expect(planned.results[0]).toMatchObject({ status: 'planned', plan: { arguments: { source: 'a', key: '***' } } });
  expect(wrong.results.map(({ status }) => status)).toEqual(['failed', 'failed']);
  expect(JSON.stringify([planned, wrong]) + house.lines.join('')).not.toContain('hunter2');
});

test('a key that is a reference is shown as the reference', async () => {
  await using house = openHouse({ files: { a: 'text' }, env: { THE_KEY: KEY } });
  const { results } = await house.run({
    actions: [['FA_encrypt_file', { source: 'a', target: 'b', key: '${env:THE_KEY}' }]],
    dry_run: true,
  });
  expect(results[0]?.plan?.arguments).toMatchObject({ key: '${env:THE_KEY}' });
});

test('a key is known before anybody is told that a run begins, at every depth', async () => {
  const told: string[] = [];
  await using house = openHouse({
    files: { a: 'text' },
    observer: {
      begun: ({ request }) => void told.push(JSON.stringify(house.factotum.masker.known(request))),
      ended: () => undefined,
    },
  });
  const encrypt = ['FA_encrypt_file', { source: 'a', target: 'b', key: KEY }];
  await house.run([encrypt]);
  await house.run([['FA_if_exists', { path: 'a', then: [['FA_encrypt_file', ['a', 'c', 'another-hunter2-another-hunter2']]] }]]);
  expect(told).toHaveLength(2);
  expect(told.join('')).not.toContain('hunter2');
});
