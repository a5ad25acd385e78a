import { buildDefaultRegistry } from '../../src/app/default-registry.ts';
import type { Ready } from '../../src/core/ready.ts';

/** Every built-in action, loaded and in order of names. */
export const loadActions = async (): Promise<Ready[]> => {
  const registry = buildDefaultRegistry();
  const names = registry.names();
  await registry.load(names);
  return names.map((name) => {
    const ready = registry.resolve(name);
    if (ready === undefined) throw new Error(`${name} stands in the catalogue but not in its family; run npm run generate`);
    return ready;
  });
};
