import type { Alias, Node } from 'yaml';
import type { Yaml } from './load.ts';
import { walkNodes } from './walk.ts';

/** The value that each alias of a document stands for; undefined where none before it bears that anchor. */
export type Aliases = ReadonlyMap<Alias, Node | undefined>;

/** Finds all of them in one walk: the library looks through the whole document for each. */
export const bindAliases = (yaml: Yaml, contents: unknown): Aliases => {
  const aliases = new Map<Alias, Node | undefined>();
  const anchored = new Map<string, Node>();
  walkNodes(yaml, contents, {
    enter(node) {
      if (yaml.isAlias(node)) aliases.set(node, anchored.get(node.source));
      else if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return aliases;
};

/** Whether every alias that is left stands for what it stood for before. */
export const areBoundAlike = (before: Aliases, after: Aliases): boolean => {
  for (const [alias, target] of after) if (before.get(alias) !== target) return false;
  return true;
};
