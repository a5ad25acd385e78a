import { ValidationException } from '../../core/errors.ts';
import type { Ready } from '../../core/ready.ts';
import type { Registry } from '../../core/registry.ts';
import { hasReference } from '../command/references.ts';
import type { Command, House, Written } from '../run.ts';
import { givenAt, visitCommands } from './tree.ts';

/**
 * Refuses a list that is to run later where it needs what is there only now: a connection that its caller opened for itself. What a
 * reference stands for is judged when it runs.
 */
export const demandKeepable = (commands: readonly Command[], { registry, isLasting }: Pick<House, 'registry' | 'isLasting'>): void => {
  if (!mayLeaveHere(commands, registry)) return;
  visitCommands(
    commands,
    registry,
    ({ name, given, index }) => {
      const ready = registry.resolve(name ?? '');
      if (ready === undefined || ready.plain !== undefined) return; // nobody knows what a plain function needs
      const { onlyNow } = ready.action;
      if (onlyNow !== undefined) throw refusal(ready, index, `cannot be kept for later, ${onlyNow}`);
      const passing = isLasting && locationsOf(ready, given).find((location) => !isLasting(location));
      if (passing !== undefined) throw refusal(ready, index, `uses ${passing} on a connection that ends with this process; ${REMEDY}`);
    },
    'that run',
  );
};

/** Most lists stay on this machine; in a long one most commands are of the same action. */
const mayLeaveHere = (commands: readonly Command[], registry: Registry): boolean => {
  let last: string | null = null;
  for (const { name } of commands) {
    if (name === last || name === null) continue;
    last = name;
    const ready = registry.resolve(name);
    if (ready === undefined) continue;
    const { about, action } = ready;
    if (action.onlyNow !== undefined || about.steps.length > 0 || about.effects.includes('network')) return true;
  }
  return false;
};

const REMEDY = 'name a connection of [connections]';

/** The locations that a command names in so many words. */
const locationsOf = (ready: Ready, given: Written): readonly string[] => {
  const written = (key: string): unknown => givenAt(given, { key, at: ready.places.get(key) ?? -1 }) ?? ready.template[key];
  const single = ready.guarded.filter(({ role }) => role.endsWith('Location')).flatMap(({ key }) => textsIn(written(key)));
  const { location } = ready.action;
  if (location === undefined || location.from.some((key) => !isPlain(written(key)))) return single;
  return [...single, location.of(Object.fromEntries(ready.keys.map((key) => [key, written(key)])))];
};

const isPlain = (value: unknown): boolean => value === null || (typeof value === 'string' && !hasReference(value));

const textsIn = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string' && !hasReference(each));

const refusal = ({ about }: Ready, index: number, why: string): ValidationException =>
  new ValidationException(`The list could not run: command ${index} (${about.name}) ${why}.`, { context: { index, action: about.name } });
