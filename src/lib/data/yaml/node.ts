import type { Node, Pair } from 'yaml';
import type { TreeEdit, TreeNode } from '../tree-edit.ts';
import type { Yaml } from './load.ts';

/** A value of a YAML document as a key path walks it: own keys only, aliases not entered. */
export interface YamlNode extends TreeNode<YamlNode> {
  /** Null where nothing is written. */
  readonly node: Node | null;
}

/** A change of a YAML document. */
export type YamlEdit = TreeEdit<YamlNode>;

/** The value as a node of a tree. */
export const yamlNode = (yaml: Yaml, value: unknown): YamlNode => {
  const { isMap, isSeq } = yaml;
  const node = yaml.isNode(value) ? value : null;
  const items = isSeq(node) ? node.items : [];
  return {
    node,
    kind: kindOf(yaml, node),
    size: items.length,
    member: (key) => {
      const pair = isMap(node) ? node.items.find((each) => keyOf(yaml, each) === key) : undefined;
      return pair && yamlNode(yaml, pair.value);
    },
    item: (index) => (index < items.length ? yamlNode(yaml, items[index]) : undefined),
  };
};

/** The key of a member; keys are plain texts in every document that loads. */
export const keyOf = (yaml: Yaml, { key }: Pair): string | undefined => (yaml.isScalar(key) ? String(key.value) : undefined);

const kindOf = (yaml: Yaml, node: Node | null): YamlNode['kind'] => {
  if (yaml.isMap(node)) return 'map';
  if (yaml.isSeq(node)) return 'list';
  if (yaml.isAlias(node)) return 'alias';
  return node === null || (yaml.isScalar(node) && node.value === null) ? 'null' : 'scalar';
};
