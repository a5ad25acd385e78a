import { afterAll, describe, test } from 'vitest';
import { createInstance } from '../../src/app/create.ts';
import { openService } from '../../src/app/serve/serve.ts';
import { recordedFamilies, replay, type Send } from '../support/differential.ts';

const factotum = createInstance({ log: { level: 'silent' } });
const service = await openService(factotum, { http: { port: 0 } });
afterAll(async () => {
  await service.close();
  await factotum.close();
});

const send: Send = async (body) => {
  const response = await fetch(`${service.door('http').url}/actions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};

/** Names in a case that nobody has registered yet; its family is still to come. */
const missingIn = (value: unknown): string[] =>
  [...new Set(JSON.stringify(value).match(/"FA_[a-z0-9_]+"/g) ?? [])]
    .map((name) => name.slice(1, -1))
    .filter((name) => !name.startsWith('FA_no_such') && factotum.registry.about(name) === undefined);

for (const { family, cases } of recordedFamilies()) {
  describe(`recorded behaviour of ${family}`, () => {
    for (const recorded of cases) {
      const missing = missingIn(recorded.actions ?? recorded.nodes);
      const name = `${recorded.id}: ${recorded.why}`;
      if (missing.length > 0) test.skip(`${name} (needs ${missing.join(', ')})`, () => {});
      else test(name, () => replay(recorded, send));
    }
  });
}
