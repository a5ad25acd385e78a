import type { Args, Bound } from '../../../core/args.ts';
import { ArgumentException } from '../../../core/errors.ts';
import { faultOf, type JsonSchema } from '../../../core/shapes.ts';
import { didYouMean } from '../../../lib/text/nearest.ts';
import type { ObjectSchema } from './schemas.ts';
import type { Given } from './tool.ts';

/** The schema of a general tool's arguments. */
export const argumentSchema = (args: Args): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(args).map(([key, { description, schema, optional, fallback }]) => [
      key,
      { description, ...schema, ...(optional && { default: fallback as JsonSchema[string] }) }, // defaults are written as JSON
    ]),
  ),
  required: Object.keys(args).filter((key) => args[key]?.optional === false),
  additionalProperties: false,
});

/** The checked arguments of a general tool, with defaults for what was left out. */
export const readArguments = <A extends Args>(tool: string, args: A, given: Given): Bound<A> => {
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(args, key));
  if (unknown !== undefined) {
    const shown = unknown.slice(0, 100);
    throw wrong(tool, shown, `has no argument ${JSON.stringify(shown)}${didYouMean(shown, Object.keys(args)) || '.'}`);
  }
  const read = Object.entries(args).map(([key, arg]) => {
    const value = Object.hasOwn(given, key) ? given[key] : undefined;
    if (value === undefined && arg.optional) return [key, arg.fallback];
    if (value === undefined) throw wrong(tool, key, `needs ${key} (${arg.expected}).`);
    if (arg.accepts(value)) return [key, value];
    const { at, expected, got } = faultOf(arg, value);
    throw wrong(tool, key, `takes ${expected} as ${key}${at}, not ${got}.`);
  });
  return Object.fromEntries(read) as Bound<A>; // every key of the arguments with a value that its shape accepts
};

const wrong = (tool: string, argument: string, what: string) => new ArgumentException(`${tool} ${what}`, { context: { tool, argument } });
