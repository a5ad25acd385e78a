import { QuotaExceededException } from '../../../core/errors.ts';
import { formatKeyPath, parseKeyPath } from '../key-path.ts';
import type { OpenDocument } from '../open-document.ts';
import { plainNode } from '../plain-node.ts';
import { decideDelete, decideSet, findNode } from '../tree-edit.ts';
import { areBoundAlike, bindAliases } from './aliases.ts';
import { editYaml } from './edit.ts';
import { editTree } from './edit-tree.ts';
import { type LoadedYaml, loadYaml, type Yaml, type YamlNaming } from './load.ts';
import { type YamlEdit, yamlNode } from './node.ts';
import { isEmpty, plainValue } from './plain.ts';

/** Reads a document from the bytes of a file. */
export const openYaml = async (bytes: Uint8Array, naming: YamlNaming): Promise<OpenDocument> => {
  const { makeError } = naming;
  const yaml = await import('yaml');
  const loaded = loadYaml(yaml, bytes, naming);
  const whole = plainValue(yaml, loaded.doc.contents, loaded.aliases, naming);
  const root = yamlNode(yaml, isEmpty(loaded.doc) ? new yaml.YAMLMap() : loaded.doc.contents);

  const find = (segments: readonly string[]) => findNode(plainNode(whole), segments);
  const inherited = (segments: readonly string[]) =>
    makeError(`${formatKeyPath(segments)} comes from an alias or a merge in ${naming.name}; edit it where it is written.`, {
      path: naming.name,
      key_path: formatKeyPath(segments),
    });

  return {
    get(keyPath) {
      const node = find(parseKeyPath(keyPath, makeError));
      return node === undefined ? { found: false } : { found: true, value: node.value };
    },
    set(keyPath, value) {
      const segments = parseKeyPath(keyPath, makeError);
      const edit = decideSet(root, segments, value, makeError);
      // A new map of its own would hide the merged one of the same name.
      const reached = segments.slice(0, edit.trail.length);
      if (edit.kind === 'insert' && reached.length < segments.length && find(reached) !== undefined) throw inherited(reached);
      return carryOut(yaml, loaded, edit, naming);
    },
    remove(keyPath) {
      const segments = parseKeyPath(keyPath, makeError);
      const edit = decideDelete(root, segments, makeError);
      if (edit !== undefined) return carryOut(yaml, loaded, edit, naming);
      if (find(segments) !== undefined) throw inherited(segments);
      return undefined;
    },
  };
};

/** Edits the text and reads it again: it is given back only if it means exactly what the edited tree means. */
const carryOut = (yaml: Yaml, loaded: LoadedYaml, edit: YamlEdit, naming: YamlNaming): string => {
  // Texts of several lines look best as blocks, but some only survive in quotes.
  const styles = 'value' in edit && hasLineBreak(edit.value) ? [true, false] : [true];
  const candidates = styles.map((blockTexts) => editYaml(yaml, loaded, edit, { blockTexts }));
  const { doc } = loaded;
  // An empty document has no map yet; the edit made one.
  if (isEmpty(doc)) Object.assign(doc, { contents: edit.root.node });
  editTree(yaml, doc, edit);
  const aliases = bindAliases(yaml, doc.contents);
  const wanted = areBoundAlike(loaded.aliases, aliases) ? meaning(() => plainValue(yaml, doc.contents, aliases, naming)) : undefined;
  if (wanted === undefined)
    throw naming.makeError(
      `${naming.name} stays as it is: another part of the file refers to that value by an alias; change that part first.`,
      { path: naming.name },
    );
  const read = (text: string) => {
    const again = loadYaml(yaml, Buffer.from(text), naming);
    return plainValue(yaml, again.doc.contents, again.aliases, naming);
  };
  const text = candidates.find((each) => meaning(() => read(each)) === wanted);
  if (text !== undefined) return text;
  throw naming.makeError(
    `${naming.name} stays as it is: the YAML around that value leaves no room for the change; write that part in a simpler way.`,
    { path: naming.name },
  );
};

/** Whether a text of several lines is in a value; a key may be one too. */
const hasLineBreak = (value: unknown): boolean => (JSON.stringify(value) ?? '').includes('\\n');

/** What a document says, as text; undefined where it cannot be read. */
const meaning = (read: () => unknown): string | undefined => {
  try {
    return JSON.stringify(read());
  } catch (fault) {
    if (fault instanceof QuotaExceededException) throw fault;
    return undefined; // not a failure: a candidate that cannot be read is not taken
  }
};
