import type { Document } from 'yaml';
import type { Yaml } from './load.ts';
import { keyOf, type YamlEdit } from './node.ts';

/** Carries out an edit on the library's tree, which then tells what the edited text must mean. */
export const editTree = (yaml: Yaml, doc: Document.Parsed, edit: YamlEdit): void => {
  const { node } = edit.container;
  const items: unknown[] = yaml.isCollection(node) ? node.items : [];
  const made = edit.kind === 'remove' ? [] : [madeItem(yaml, doc, edit)];
  if (edit.kind === 'insert' || edit.kind === 'append') items.push(...made);
  else items.splice(yaml.isMap(node) ? node.items.findIndex((pair) => keyOf(yaml, pair) === edit.key) : Number(edit.key), 1, ...made);
};

const madeItem = (yaml: Yaml, doc: Document.Parsed, edit: Exclude<YamlEdit, { readonly kind: 'remove' }>): unknown =>
  edit.kind !== 'append' && yaml.isMap(edit.container.node) ? doc.createPair(edit.key, edit.value) : doc.createNode(edit.value);
