import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { startServed } from '../service/served.ts';

test('a plugin that throws after it was loaded ends neither the service nor what it runs', async () => {
  using dir = tempDir({
    'factotum.toml': '[plugins]\npaths = ["moody"]\n',
    'a.txt': 'hi',
    'moody/package.json': '{"name": "moody", "version": "1.0.0", "type": "module", "factotum": {"actions": "./a.js"}}',
    'moody/a.js': `
      const throwLater = () => {
        setTimeout(() => { throw new Error('late and loud'); });
        Promise.reject(new Error('late and silent'));
        return 'fine so far';
      };
      export const actions = () => ({ my_mood: throwLater });`,
  });
  await using served = startServed({ cwd: dir.path });
  const url = await served.url;
  const run = async (list: unknown) =>
    (
      await fetch(`${url}/actions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(list) })
    ).json() as Promise<{ ok: boolean; results: { value: unknown }[] }>;
  expect(await run([['my_mood']])).toMatchObject({ ok: true, results: [{ value: 'fine so far' }] });
  for (const fault of ['late and loud', 'late and silent']) await expect.poll(served.complaints, { timeout: 30_000 }).toContain(fault);
  expect(await run([['FA_read_file', ['a.txt']]])).toMatchObject({ ok: true, results: [{ value: 'hi' }] });
  expect(await served.stop('SIGTERM')).toBe(0);
});
