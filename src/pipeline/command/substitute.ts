import { SubstitutionException } from '../../core/errors.ts';
import { LATER, NotYetKnown } from '../../core/planning.ts';
import { rewriteJson } from '../../lib/json/rewrite.ts';
import type { Reference, ReferenceName, ReferencePath } from './read-reference.ts';
import { hasReference, splitAtReferences } from './references.ts';
import { formatDate, formatIsoDate } from './strftime.ts';

/** What references can refer to. What its functions throw reaches the caller unchanged. */
export interface Scope {
  /** Value of a variable the caller may read; undefined when unset; throws PolicyException when it may not be read. */
  env(name: string): string | undefined;
  /** Value of an earlier command of the same list; throws when there is none. Absent where there are no earlier results. */
  readonly result?: (index: number) => unknown;
  /** Value of a node this one depends on; throws otherwise. Absent outside graphs. */
  readonly node?: (id: string) => unknown;
  /** The names that have a value here; `LATER` where only a real run will know it. */
  readonly named?: ReadonlyMap<string, unknown>;
  /** The start of the run. */
  readonly date: Date;
  /** Local time unless given. */
  readonly timeZone?: string;
  readonly cwd: string;
  /** 32 hexadecimal digits, fresh at each call. */
  uuid(): string;
  /** Told when the date is filled in. */
  readonly onDate?: () => void;
  /** Told of every piece of a text before it is added; throws where there is no room for it. */
  readonly mayGrowBy?: (bytes: number) => void;
}

const MAX_BYTES = 1024 * 1024;

/**
 * Replaces the references in the texts of a value; keys stay as they are, and what was put in is not read again. A text that is one
 * reference and nothing else takes the value with its type. Gives back the same reference when nothing had to change.
 */
export const substitute = (value: unknown, scope: Scope): unknown => {
  if (typeof value === 'string') return fill(value, scope);
  return typeof value === 'object' ? rewriteJson(value, { text: (text) => fill(text, scope) }) : value;
};

const fill = (text: string, scope: Scope): unknown => {
  if (!hasReference(text)) return text;
  const parts = splitAtReferences(text);
  const [first] = parts;
  if (parts.length === 1 && typeof first === 'object') return resolve(first, scope);
  let filled = '';
  let bytes = 0;
  for (const part of parts) {
    const piece = typeof part === 'string' ? part : asText(part, resolve(part, scope));
    const more = Buffer.byteLength(piece);
    bytes += more;
    if (bytes > MAX_BYTES) throw tooLong(text);
    scope.mayGrowBy?.(more);
    filled += piece;
  }
  return filled;
};

const resolve = (reference: Reference, scope: Scope): unknown => {
  switch (reference.kind) {
    case 'env':
      return (
        scope.env(reference.name) ??
        reference.fallback ??
        fail(reference, `${reference.name} is not set; set it or add a fallback: \${env:${reference.name}:-text}`)
      );
    case 'date':
      return writeDate(reference.format, scope);
    case 'uuid':
      return scope.uuid();
    case 'cwd':
      return scope.cwd;
    case 'result': {
      const read =
        scope.result ?? fail(reference, 'earlier results can be read in serial lists only; use one, or a graph with nodes.ID.value');
      return follow(reference, reference.path, read(reference.index));
    }
    case 'node': {
      const read = scope.node ?? fail(reference, 'nodes can be read in graphs only; use one, or a serial list with results[0].value');
      return follow(reference, reference.path, read(reference.id));
    }
    case 'named': {
      const { named } = scope;
      if (!named?.has(reference.name)) return fail(reference, `it has a value only in ${PLACES[reference.name]}; use it there`);
      const value = named.get(reference.name);
      if (value === LATER) throw new NotYetKnown(`\${${reference.name}}`);
      return follow(reference, reference.path, value);
    }
    case 'unknown':
      return fail(reference, reference.fault);
  }
};

const writeDate = (format: string | undefined, { date, timeZone, onDate }: Scope): string => {
  onDate?.();
  return format === undefined ? formatIsoDate(date, timeZone) : formatDate(date, format, timeZone);
};

const PLACES: Readonly<Record<ReferenceName, string>> = {
  item: 'the steps of FA_for_each',
  index: 'the steps of FA_for_each',
  event: 'the list of a watcher',
  schedule: 'the list of a schedule',
};

const follow = (reference: Reference, path: ReferencePath, root: unknown): unknown => {
  let value = root;
  for (const step of path) {
    if (!hasStep(value, step)) {
      return fail(
        reference,
        `there is no ${typeof step === 'number' ? `element [${step}]` : `key ${JSON.stringify(step)}`}; check the path`,
      );
    }
    value = value[step];
  }
  return value;
};

/** A list has elements and nothing else, an object its own keys and nothing it inherits. */
const hasStep = (value: unknown, step: string | number): value is { readonly [step: string | number]: unknown } =>
  typeof value === 'object' && value !== null && Array.isArray(value) === (typeof step === 'number') && Object.hasOwn(value, step);

const asText = (reference: Reference, value: unknown): string => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
  return fail(reference, `${kind} cannot stand inside a text; let the reference be the whole text, or go on to a text, number or boolean`);
};

const fail = ({ written }: Reference, fault: string): never => {
  const shown = shorten(written);
  throw new SubstitutionException(`${shown} cannot be replaced: ${fault}.`, { context: { reference: shown } });
};

const tooLong = (text: string) =>
  new SubstitutionException(`${shorten(text)} becomes longer than ${MAX_BYTES} bytes; put long content into a file and pass its path.`, {
    context: { reference: shorten(text) },
  });

const shorten = (written: string): string => (written.length > 200 ? `${written.slice(0, 200)}…` : written);
