import { expect, test } from 'vitest';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { startServed } from './served.ts';

const SECRET = 'a-secret-of-the-builder-0123456789';

test('what was queued before the start runs with the rights of whoever queued it', { timeout: 180_000 }, async () => {
  using dir = tempDir({ 'w/a.txt': 'x', 'b.txt': 'x' });
  const limits = `roots = ["${dir.at('w')}"]`;
  dir.write(
    'factotum.toml',
    `[http]\nshared_secret = "a-secret-of-the-owner-0123456789"\n[policy]\nowner = true\n${limits}\n[[tokens]]\nname = "builder"\nsecret = "${SECRET}"\n${limits}\n`,
  );
  const state = dir.at('state');
  const store = embeddedStore({ file: storeFileIn(dir.at('state/factotum')) });
  const submit = async (caller: string, source: 'http' | 'queue', path: string) =>
    (await store.submit({ caller, source, body: [['FA_read_file', [dir.at(path)]]] })).runId;
  const allowed = await Promise.all([submit('builder', 'http', 'w/a.txt'), submit('builder', 'queue', 'w/a.txt')]);
  const refused = await Promise.all([submit('builder', 'http', 'b.txt'), submit('owner', 'http', 'b.txt')]);
  await store.close();

  await using served = startServed({ cwd: dir.path, state });
  const url = await served.url;
  const ended = async (runId: string) => {
    const headers = { authorization: 'Bearer a-secret-of-the-owner-0123456789' };
    await (await fetch(`${url}/runs/${runId}/events`, { headers })).text();
    return (await fetch(`${url}/runs/${runId}`, { headers })).json();
  };
  for (const runId of allowed) expect(await ended(runId)).toMatchObject({ state: 'ok', attempt: 1, error: null });
  for (const runId of refused) expect(await ended(runId)).toMatchObject({ results: [{ error: { type: 'PolicyException' } }] });
});
