import type { Variable } from '../../../src/services/config/variables.ts';
import type { ConfigKey } from './keys.ts';

/** The variable that sets a key of a section, where its value can be written as one text. */
export const variableOf = ({ path, schema }: ConfigKey): Variable[] => {
  const [section, key] = path;
  if (path.length !== 2 || section === undefined || key === undefined || key === '*') return [];
  const kind = schema.type === 'array' && schema.items?.type === 'string' ? 'list' : schema.type;
  if (!isKind(kind)) return [];
  // What all doors share is what a container sets first, so its names are the short ones.
  const words = section === 'server' ? [key] : [section, key];
  return [{ name: `FACTOTUM_${words.join('_').toUpperCase()}`, section, key, kind }];
};

const isKind = (kind: string | undefined): kind is Variable['kind'] =>
  kind === 'string' || kind === 'integer' || kind === 'number' || kind === 'boolean' || kind === 'list';
