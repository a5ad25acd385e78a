import { ExecuteActionException } from '../../core/errors.ts';
import { kindOf } from '../../core/shapes.ts';
import type { Command, Written } from '../run.ts';

/** Reads one command; a malformed one keeps its name, where it has one, so that access rules judge it first. */
export const readCommand = (item: unknown, index: number): Command => {
  if (!Array.isArray(item))
    return malformed(index, null, `a command is [name], [name, {…}] or [name, […]], not ${kindOf(item)}${unwrapped(item)}`);
  // By position: taking a list apart goes through its iterator, which every command of every list would pay for.
  const name: unknown = item[0];
  const given: unknown = item[1];
  if (typeof name !== 'string' || name === '')
    return malformed(index, null, `its first element must be an action's name, not ${kindOf(name)}`);
  if (item.length === 1) return { index, name, given: undefined, fault: undefined };
  if (item.length > 2) return malformed(index, name, `it has ${item.length} elements; put all arguments into one object or list`);
  if (typeof given !== 'object' || given === null)
    return malformed(index, name, `its arguments must be an object or a list, not ${kindOf(given)}`);
  return { index, name, given: given as Written, fault: undefined };
};

/** Whoever sends one command instead of a list of one is told so. */
const unwrapped = (item: unknown): string =>
  typeof item === 'string' && /^FA_\w{1,100}$/.test(item) ? `; give it brackets of its own: ["${item}", …]` : '';

const malformed = (index: number, name: string | null, what: string): Command => ({
  index,
  name,
  given: undefined,
  fault: new ExecuteActionException(`Command ${index}${name === null ? '' : ` (${name})`} is malformed: ${what}.`, { context: { index } }),
});
