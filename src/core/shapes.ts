import type { Json } from './errors.ts';

/** A JSON Schema (2020-12) document or part of one. */
export interface JsonSchema {
  readonly [key: string]: SchemaPart;
}
type SchemaPart = Json | JsonSchema | readonly SchemaPart[] | undefined;

/** What is wrong with a value: where inside it (`[1].name`, empty for the value itself) and what was expected there. */
export interface Fault {
  readonly at: string;
  readonly expected: string;
  readonly got: string;
}

/**
 * One type of value: a compiled check, its JSON Schema, and the words for an error message.
 * `In` is what a caller writes, `T` what an action gets; they differ only where `read` converts.
 */
export interface Shape<T = unknown, In = unknown> {
  readonly schema: JsonSchema;
  /** Completes "expected …": `a whole number from 1 to 10`. */
  readonly expected: string;
  accepts(value: unknown): boolean;
  /** The first wrong place of a value that `accepts` refused; only compound shapes know more than the value itself. */
  locate?(value: unknown): Fault | undefined;
  /** Turns an accepted value into what the action gets; absent where they are the same. */
  read?(value: unknown): T;
  /** Carries the types for inference; never set. */
  readonly types?: { readonly out: T; readonly in: In };
}

/** What the shape's values are once read. */
export type Out<S> = S extends Shape<infer T, infer _In> ? T : never;
/** What a caller may write for the shape. */
export type In<S> = S extends Shape<infer _T, infer I> ? I : never;

/** The kind of a value in the words of an error message. */
export const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'a text';
    case 'number':
      return Number.isInteger(value) ? `the number ${value}` : 'a fraction';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return 'an object';
    case 'undefined':
      return 'nothing';
    default:
      return `a ${typeof value}`;
  }
};

/** The first fault of a refused value, as exact as the shape can tell. */
export const faultOf = (shape: Shape, value: unknown): Fault =>
  shape.locate?.(value) ?? {
    at: '',
    expected: shape.expected,
    got: typeof value === 'string' && value.length <= 40 ? JSON.stringify(value) : kindOf(value),
  };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Nothing: the value of an action that has nothing to say. */
export const nothing = (): Shape<null, null> => ({ schema: { type: 'null' }, expected: 'null', accepts: (value) => value === null });

/** true or false. */
export const flag = (): Shape<boolean, boolean> => ({
  schema: { type: 'boolean' },
  expected: 'true or false',
  accepts: (value) => value === true || value === false,
});

/** Limits of a text. */
export interface TextLimits {
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Any text. */
export const text = ({ minLength = 0, maxLength }: TextLimits = {}): Shape<string, string> => ({
  schema: { type: 'string', ...(minLength > 0 && { minLength }), ...(maxLength !== undefined && { maxLength }) },
  expected: minLength === 1 ? 'a text that is not empty' : 'a text',
  accepts:
    minLength === 0 && maxLength === undefined
      ? (value) => typeof value === 'string'
      : (value) => typeof value === 'string' && value.length >= minLength && (maxLength === undefined || value.length <= maxLength),
});

/** Limits of a number: `min` and `max` are inside, `above` is outside. */
export interface NumberLimits {
  readonly min?: number;
  readonly max?: number;
  readonly above?: number;
}

const limitWords = ({ min, max, above }: NumberLimits): string => {
  const low = above === undefined ? (min === undefined ? '' : `from ${min}`) : `above ${above}`;
  const high = max === undefined ? '' : `to ${max}`;
  if (low !== '' && high === '' && above === undefined) return ` of at least ${min}`;
  return [low, high]
    .filter((part) => part !== '')
    .map((part) => ` ${part}`)
    .join('');
};

const limitSchema = ({ min, max, above }: NumberLimits): JsonSchema => ({
  ...(min !== undefined && { minimum: min }),
  ...(max !== undefined && { maximum: max }),
  ...(above !== undefined && { exclusiveMinimum: above }),
});

const within = (value: number, { min, max, above }: NumberLimits): boolean =>
  (min === undefined || value >= min) && (max === undefined || value <= max) && (above === undefined || value > above);

/** A whole number that JSON carries exactly. */
export const integer = (limits: NumberLimits = {}): Shape<number, number> => ({
  schema: { type: 'integer', ...limitSchema(limits) },
  expected: `a whole number${limitWords(limits)}`,
  accepts: (value) => Number.isSafeInteger(value) && within(Number(value), limits),
});

/** Any finite number. */
export const number = (limits: NumberLimits = {}): Shape<number, number> => ({
  schema: { type: 'number', ...limitSchema(limits) },
  expected: `a number${limitWords(limits)}`,
  accepts: (value) => typeof value === 'number' && Number.isFinite(value) && within(value, limits),
});

/** One of a few texts. */
export const oneOf = <const V extends readonly string[]>(values: V): Shape<V[number], V[number]> => ({
  schema: { type: 'string', enum: values },
  expected: `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
  accepts: (value) => typeof value === 'string' && values.includes(value),
});

/** Any JSON value. */
export const json = (): Shape<unknown, unknown> => ({ schema: {}, expected: 'any JSON value', accepts: () => true });

/** A list whose items all have one shape. */
export const list = <T, I>(of: Shape<T, I>, { minItems = 0 }: { readonly minItems?: number } = {}): Shape<T[], readonly I[]> => {
  const { read } = of;
  const expected = `a list${minItems > 0 ? ` of at least ${minItems}` : ''}`;
  return {
    schema: { type: 'array', items: of.schema, ...(minItems > 0 && { minItems }) },
    expected: `${expected}, each ${of.expected}`,
    accepts: (value) => Array.isArray(value) && value.length >= minItems && value.every(of.accepts),
    locate: (value) => {
      if (!Array.isArray(value) || value.length < minItems) return undefined;
      const wrong = value.findIndex((item) => !of.accepts(item));
      return wrong < 0 ? undefined : under(`[${wrong}]`, faultOf(of, value[wrong]));
    },
    // The check above has proved every item.
    ...(read && { read: (value: unknown) => (value as unknown[]).map(read) }),
  };
};

const under = (step: string, fault: Fault): Fault => ({ ...fault, at: `${step}${fault.at}` });

/** An object whose values all have one shape; keys are free. */
export const record = <T, I>(of: Shape<T, I>): Shape<Record<string, T>, Readonly<Record<string, I>>> => ({
  schema: { type: 'object', additionalProperties: of.schema },
  expected: `an object, each value ${of.expected}`,
  accepts: (value) => isObject(value) && Object.values(value).every(of.accepts),
  locate: (value) => {
    if (!isObject(value)) return undefined;
    const wrong = Object.entries(value).find(([, item]) => !of.accepts(item));
    return wrong && under(`.${wrong[0]}`, faultOf(of, wrong[1]));
  },
  // The check above has proved every value.
  ...(of.read && { read: (value: unknown) => readValues(value, () => of) as Record<string, T> }),
});

/** The object with each value as its shape reads it. */
const readValues = (value: unknown, shapeOf: (key: string) => Shape | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, shapeOf(key)?.read?.(item) ?? item]));

type Fields = Readonly<Record<string, Shape>>;

type ObjectShape<F extends Fields, O extends Fields> = Shape<
  { [K in keyof F]: Out<F[K]> } & { [K in keyof O]?: Out<O[K]> },
  { [K in keyof F]: In<F[K]> } & { [K in keyof O]?: In<O[K]> }
>;

/** An object with these fields; those in `optional` may be left out; no others. */
export const object = <F extends Fields, O extends Fields = Record<never, never>>(fields: F, optional?: O): ObjectShape<F, O> => {
  const known = new Map<string, Shape>([...Object.entries(fields), ...Object.entries(optional ?? {})]);
  const required = Object.keys(fields);
  const locate = (value: unknown): Fault | undefined => {
    if (!isObject(value)) return undefined;
    for (const [key, item] of Object.entries(value)) {
      const shape = known.get(key);
      if (shape === undefined) return { at: `.${key}`, expected: `one of the keys ${[...known.keys()].join(', ')}`, got: 'an unknown key' };
      if (!shape.accepts(item)) return under(`.${key}`, faultOf(shape, item));
    }
    const missing = required.find((key) => !Object.hasOwn(value, key));
    return missing === undefined ? undefined : { at: `.${missing}`, expected: known.get(missing)?.expected ?? 'a value', got: 'nothing' };
  };
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries([...known].map(([key, shape]) => [key, shape.schema])),
      required,
      additionalProperties: false,
    },
    expected: required.length === 0 ? 'an object' : `an object with ${required.join(', ')}`,
    accepts: (value) => isObject(value) && locate(value) === undefined,
    locate,
    ...([...known.values()].some((shape) => shape.read) && {
      // The check above has proved every field.
      read: (value: unknown) => readValues(value, (key) => known.get(key)) as Out<ObjectShape<F, O>>,
    }),
  };
};

/** Null, or what the shape says. */
export const nullable = <T, I>(of: Shape<T, I>): Shape<T | null, I | null> => {
  const { read, locate } = of;
  return {
    schema:
      typeof of.schema.type === 'string' && of.schema.enum === undefined
        ? { ...of.schema, type: [of.schema.type, 'null'] }
        : { anyOf: [of.schema, { type: 'null' }] },
    expected: `${of.expected}, or null`,
    accepts: (value) => value === null || of.accepts(value),
    ...(locate && { locate: (value: unknown) => (value === null ? undefined : locate(value)) }),
    ...(read && { read: (value: unknown) => (value === null ? null : read(value)) }),
  };
};

/** What any of the shapes says; the first that accepts reads. */
export const either = <S extends readonly Shape[]>(...shapes: S): Shape<Out<S[number]>, In<S[number]>> => ({
  schema: { anyOf: shapes.map((shape) => shape.schema) },
  expected: shapes.map((shape) => shape.expected).join(', or '),
  accepts: (value) => shapes.some((shape) => shape.accepts(value)),
  ...(shapes.some((shape) => shape.read) && {
    read: (value: unknown) => {
      const shape = shapes.find((each) => each.accepts(value));
      // The union accepted the value, so one of its shapes did; that shape's type is part of the union's.
      return (shape?.read ? shape.read(value) : value) as Out<S[number]>;
    },
  }),
});

const isBase64 = (value: string): boolean => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value);

/** Bytes: a text stands for its UTF-8 bytes, `{"base64": "…"}` for raw ones. */
export const bytes = (): Shape<Uint8Array, string | { readonly base64: string }> => ({
  schema: {
    anyOf: [
      { type: 'string' },
      {
        type: 'object',
        properties: { base64: { type: 'string', contentEncoding: 'base64' } },
        required: ['base64'],
        additionalProperties: false,
      },
    ],
  },
  expected: 'a text, or {"base64": "…"}',
  accepts: (value) =>
    typeof value === 'string' ||
    (isObject(value) && Object.keys(value).length === 1 && typeof value.base64 === 'string' && isBase64(value.base64)),
  read: (value) => (typeof value === 'string' ? Buffer.from(value) : Buffer.from((value as { base64: string }).base64, 'base64')),
});
