import type { Json } from './errors.ts';

/** How many commands a list, a wrapped list or a graph has; undefined where it is none of them: a command alone is no list. */
export const countCommands = (list: Json): number | undefined => {
  if (isList(list)) return typeof list[0] === 'string' ? undefined : list.length;
  if (typeof list !== 'object' || list === null) return undefined;
  for (const key of ['actions', 'nodes', 'auto_control']) {
    const inner = list[key];
    if (inner !== undefined && isList(inner)) return inner.length;
  }
  return undefined;
};

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
