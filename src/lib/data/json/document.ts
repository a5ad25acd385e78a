import { JsonActionException } from '../../../core/errors.ts';
import { decode } from '../../json/decode.ts';
import { parseKeyPath } from '../key-path.ts';
import type { MakeError } from '../make-error.ts';
import type { OpenDocument } from '../open-document.ts';
import { decideDelete, decideSet, findNode } from '../tree-edit.ts';
import { checkDocument } from './check-document.ts';
import { editJson } from './edit.ts';
import { jsonNode } from './node.ts';
import { jsonValue } from './value.ts';

/** Reads a document from the bytes of a file; a byte order mark is taken off for good. */
export const openJson = (
  bytes: Uint8Array,
  { name, makeError }: { readonly name: string; readonly makeError: MakeError },
): OpenDocument => {
  const { text, findings } = readChecked(bytes, name, makeError);
  const root = jsonNode(text, 0, findings.longValues);
  return {
    get(keyPath) {
      const node = findNode(root, parseKeyPath(keyPath, makeError));
      return node === undefined ? { found: false } : { found: true, value: jsonValue(text, node, findings) };
    },
    set: (keyPath, value) => editJson(text, decideSet(root, parseKeyPath(keyPath, makeError), value, makeError)),
    remove(keyPath) {
      const edit = decideDelete(root, parseKeyPath(keyPath, makeError), makeError);
      return edit && editJson(text, edit);
    },
  };
};

const readChecked = (bytes: Uint8Array, name: string, makeError: MakeError) => {
  try {
    const source = decode(bytes, { allowBom: true, name, excerpt: false });
    return { text: source.text, findings: checkDocument(source) };
  } catch (fault) {
    // The reader of the house speaks of the same places; only the type differs for a file that is data.
    if (fault instanceof JsonActionException) throw makeError(fault.message, fault.context);
    throw fault;
  }
};
