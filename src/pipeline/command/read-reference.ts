import { formatFault } from './strftime.ts';

/** Own keys and list indexes that lead from a value to what is meant. */
export type ReferencePath = readonly (string | number)[];

/** What stands between `${` and `}`; `unknown` says what is wrong with it and what to do. */
export type Reference = { readonly written: string } & (
  | { readonly kind: 'env'; readonly name: string; readonly fallback: string | undefined }
  | { readonly kind: 'date'; readonly format: string | undefined }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'cwd' }
  | { readonly kind: 'result'; readonly index: number; readonly path: ReferencePath }
  | { readonly kind: 'node'; readonly id: string; readonly path: ReferencePath }
  | { readonly kind: 'named'; readonly name: ReferenceName; readonly path: ReferencePath }
  | { readonly kind: 'unknown'; readonly fault: string }
);

/** A name that has a value in some places only: loops, watchers, schedules. */
export type ReferenceName = (typeof NAMES)[number];

const NAMES = ['item', 'index', 'event', 'schedule'] as const;

/**
 * Reads one reference, given with its braces. The kinds env, date, uuid and cwd are known in any case, the other words as written.
 * The id of a node is all text between `nodes.` and the first `.value`, so it may hold anything but `}`, `${` and `.value`; a key in a
 * path may hold anything but `.`, `[`, `]` and `}`.
 */
export const readReference = (written: string): Reference => {
  const body = written.slice(2, -1);
  if (body.includes('${')) return unreadable(written, 'references do not nest; use the result of an earlier command instead');
  const [, kind, argument] = /^(env|date|uuid|cwd)(?::(.*))?$/is.exec(body) ?? [];
  if (kind !== undefined) return readKind(written, kind.toLowerCase(), argument);
  return readValueReference(written, body);
};

/** A reference that cannot be read. */
export const unreadable = (written: string, fault: string): Reference => ({ kind: 'unknown', written, fault });

const readKind = (written: string, kind: string, argument: string | undefined): Reference => {
  if (kind === 'env') return readVariable(written, argument ?? '');
  if (kind === 'date') return readDate(written, argument);
  if (argument !== undefined) return unreadable(written, `${kind} takes nothing behind a colon; write \${${kind}}`);
  return { kind: kind === 'uuid' ? 'uuid' : 'cwd', written };
};

const readVariable = (written: string, argument: string): Reference => {
  const [, name, fallback] = /^([a-z_]\w*)(?::-(.*))?$/is.exec(argument) ?? [];
  if (name !== undefined) return { kind: 'env', written, name, fallback };
  return unreadable(written, 'it names no variable; write ${env:NAME} or ${env:NAME:-fallback} with letters, digits and _ in the name');
};

const readDate = (written: string, format: string | undefined): Reference => {
  if (format === '') return unreadable(written, 'its format is empty; write ${date} or a format such as ${date:%Y-%m-%d}');
  const fault = format === undefined ? undefined : formatFault(format);
  return fault === undefined ? { kind: 'date', written, format } : unreadable(written, fault);
};

const readValueReference = (written: string, body: string): Reference => {
  const [, index, id, name, rest = ''] = /^(?:results\[(\d{1,9})\]\.value|nodes\.(.+?)\.value|([a-z]+))([.[].*)?$/s.exec(body) ?? [];
  const path = readPath(rest);
  if (path === undefined) return unreadable(written, 'its path is broken; go on with .key or [0]');
  if (index !== undefined) return { kind: 'result', written, index: Number(index), path };
  if (id !== undefined) return { kind: 'node', written, id, path };
  if (isReferenceName(name)) return { kind: 'named', written, name, path };
  return unreadable(
    written,
    'no such reference exists; use env:NAME, date, date:FORMAT, uuid, cwd, results[0].value or nodes.ID.value, or write $${ for a plain ${',
  );
};

const isReferenceName = (name: string | undefined): name is ReferenceName => NAMES.some((known) => known === name);

const readPath = (written: string): ReferencePath | undefined => {
  const path: (string | number)[] = [];
  let read = 0;
  for (const [step, key, index] of written.matchAll(/\.([^.[\]]+)|\[(\d{1,9})\]/gy)) {
    path.push(key ?? Number(index));
    read += step.length;
  }
  return read === written.length ? path : undefined;
};
