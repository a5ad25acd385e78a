import { expect, test } from 'vitest';
import { buildDefaultRegistry } from '../../src/app/default-registry.ts';
import { referenceActions } from '../laws/reference.ts';

// `npx vitest run test/pins -u` takes out what was built; nothing should ever come back.
test('these actions of the reference are not built yet', async () => {
  const registry = buildDefaultRegistry();
  const missing = referenceActions.filter(({ name }) => registry.about(name) === undefined);
  const lines = missing.map(({ group, name }) => `${group}: ${name}\n`).sort();
  await expect(lines.join('')).toMatchFileSnapshot('reference-not-built.txt');
});
