import { FileAutomationException } from '../../core/errors.ts';
import type { Registry } from '../../core/registry.ts';
import { hasReference } from '../../pipeline/command/references.ts';
import { parse } from '../../pipeline/list/parse.ts';
import { givenAt, visitCommands } from '../../pipeline/list/tree.ts';
import type { Problem } from '../../pipeline/list/validate.ts';

type Path = readonly (string | number)[];

/** Where in a list as written a problem stands: the argument it is about, or else its command. */
export const placeInList = (list: unknown, { at, argument }: Problem, registry: Registry): Path => {
  const path: (string | number)[] = [];
  let value = list;
  const go = (step: string | number) => {
    path.push(step);
    value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
  };
  /** From a list, wrapped or not, to one of its commands. */
  const toCommand = (index: number) => {
    const wrapped = Array.isArray(value) ? undefined : LISTS.find((key) => Array.isArray(Reflect.get(Object(value), key)));
    if (wrapped !== undefined) go(wrapped);
    go(index);
    if (!Array.isArray(value) && typeof value === 'object' && value !== null && 'action' in value) go('action');
  };
  /** From a command to one of its arguments, by position or by name. */
  const toArgument = (key: string) => {
    const [name, given] = Array.isArray(value) ? value : [];
    go(1);
    go(Array.isArray(given) ? (registry.resolve(String(name))?.places.get(key) ?? 0) : key);
  };
  for (const step of at) typeof step === 'number' ? toCommand(step) : toArgument(step);
  if (typeof argument === 'string') toArgument(argument);
  return path;
};

const LISTS = ['actions', 'auto_control', 'nodes'];

/** The files with lists that a list names as they are, at every depth; those that depend on references are met when it runs. */
export const filesIn = (list: unknown, registry: Registry): readonly string[] => {
  const files: string[] = [];
  try {
    visitCommands(parse(list).commands, registry, ({ name, given }) => {
      const ready = registry.resolve(name ?? '');
      for (const [at, arg] of (ready?.args ?? []).entries()) {
        if (arg.stepsForm !== undefined || !arg.roles.includes('steps')) continue;
        const value = givenAt(given, { key: ready?.keys[at] ?? '', at });
        for (const each of [value].flat()) if (typeof each === 'string' && !hasReference(each)) files.push(each);
      }
    });
  } catch (fault) {
    if (!(fault instanceof FileAutomationException)) throw fault; // what is no list has been told
  }
  return files;
};
