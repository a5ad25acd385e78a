import type { Node } from 'yaml';
import type { Yaml } from './load.ts';

/** What is told of a node on a walk. */
export interface Visitor {
  /** Called in the order of the text: a key before its value, a collection before what is in it. */
  enter(node: Node): void;
  leave?(node: Node): void;
}

/** Visits every node of a document once. Not the library's own visit, which copies the way to each. */
export const walkNodes = (yaml: Yaml, value: unknown, visitor: Visitor): void => {
  if (!yaml.isNode(value)) return;
  visitor.enter(value);
  if (yaml.isMap(value)) {
    for (const pair of value.items) {
      walkNodes(yaml, pair.key, visitor);
      walkNodes(yaml, pair.value, visitor);
    }
  } else if (yaml.isSeq(value)) for (const item of value.items) walkNodes(yaml, item, visitor);
  visitor.leave?.(value);
};
