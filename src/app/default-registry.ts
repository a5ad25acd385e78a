import { createRegistry, type Registry } from '../core/registry.ts';
import { builtInFamilies } from './catalogue.ts';

/** A registry with every built-in action; its code is loaded when first needed. */
export const buildDefaultRegistry = (): Registry => {
  const registry = createRegistry();
  for (const family of builtInFamilies()) registry.registerFamily(family);
  return registry;
};
