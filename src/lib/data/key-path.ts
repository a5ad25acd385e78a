import type { MakeError } from './make-error.ts';

/** Deeper than any document that people edit; bounds what a hostile path can create. */
const MAX_SEGMENTS = 64;

/**
 * The segments of a key path. Dotted: `servers.0.name`, empty segments dropped, `\.` a literal dot. With a leading slash a JSON Pointer
 * (RFC 6901): every segment counts, `~1` is a slash, `~0` a tilde.
 */
export const parseKeyPath = (keyPath: string, makeError: MakeError): readonly string[] => {
  const segments = keyPath.startsWith('/') ? pointerSegments(keyPath, makeError) : dottedSegments(keyPath);
  if (segments.length > MAX_SEGMENTS) {
    throw makeError(`The key path has ${segments.length} segments; use at most ${MAX_SEGMENTS}.`, {
      argument: 'key_path',
      limit: MAX_SEGMENTS,
    });
  }
  return segments;
};

/** The key path that leads to these segments, for messages. */
export const formatKeyPath = (segments: readonly string[]): string => segments.map((segment) => segment.replaceAll('.', '\\.')).join('.');

/** Where a segment points in a list of `size` items; the size itself is the place behind the last one. Undefined for what is no index. */
export const listIndex = (segment: string, size: number): number | undefined => {
  if (!/^-?[0-9]+$/.test(segment)) return undefined;
  const written = Number(segment);
  const index = segment.startsWith('-') && written !== 0 ? size + written : Math.abs(written);
  return index >= 0 && index <= size ? index : undefined;
};

const dottedSegments = (keyPath: string): string[] =>
  (keyPath.match(/(?:\\\.|[^.])+/gs) ?? []).map((segment) => segment.replaceAll('\\.', '.'));

const pointerSegments = (pointer: string, makeError: MakeError): string[] => {
  if (/~(?![01])/.test(pointer)) {
    throw makeError('In a key path that starts with a slash, ~ stands only in ~0 (a tilde) and ~1 (a slash); write ~0 for a tilde.', {
      argument: 'key_path',
    });
  }
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
};
