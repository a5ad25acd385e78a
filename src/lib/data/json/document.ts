import { JsonActionException } from '../../../core/errors.ts';
import { decode } from '../../json/decode.ts';
import { demandMemory } from '../../workers/heap-watch.ts';
import { parseKeyPath } from '../key-path.ts';
import type { DocumentReading, OpenDocument } from '../open-document.ts';
import { decideDelete, decideSet, findNode } from '../tree-edit.ts';
import { checkDocument } from './check-document.ts';
import { editJson } from './edit.ts';
import { bytesOfValue, bytesToCheck } from './memory.ts';
import { jsonNode } from './node.ts';
import { jsonValue } from './value.ts';

/** Reads a document from the bytes of a file; a byte order mark is taken off for good. */
export const openJson = (bytes: Uint8Array, reading: DocumentReading): OpenDocument => {
  const { name, makeError, maxBytes = Number.POSITIVE_INFINITY } = reading;
  const { text, findings } = readChecked(bytes, reading);
  const root = jsonNode(text, 0, findings.longValues);
  return {
    get(keyPath) {
      const node = findNode(root, parseKeyPath(keyPath, makeError));
      if (node === undefined) return { found: false };
      demandMemory(name, bytesOfValue(text, node), maxBytes);
      return { found: true, value: jsonValue(text, node, findings) };
    },
    set: (keyPath, value) => editJson(text, decideSet(root, parseKeyPath(keyPath, makeError), value, makeError)),
    remove(keyPath) {
      const edit = decideDelete(root, parseKeyPath(keyPath, makeError), makeError);
      return edit && editJson(text, edit);
    },
  };
};

const readChecked = (bytes: Uint8Array, { name, makeError, maxBytes = Number.POSITIVE_INFINITY }: DocumentReading) => {
  try {
    const source = decode(bytes, { allowBom: true, name, excerpt: false });
    demandMemory(name, bytesToCheck(source.text, maxBytes), maxBytes);
    return { text: source.text, findings: checkDocument(source) };
  } catch (fault) {
    // The reader of the house speaks of the same places; only the type differs for a file that is data.
    if (fault instanceof JsonActionException) throw makeError(fault.message, fault.context);
    throw fault;
  }
};
