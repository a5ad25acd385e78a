import type { Command, Option } from 'commander';
import type { Registry } from '../../core/registry.ts';
import type { Candidate } from '../cli.ts';

/** What a parser knows of the place of the last word: options, or the choices of one; undefined where an argument is expected. */
export const parserCandidates = (parser: Command, words: readonly string[]): readonly Candidate[] | undefined => {
  const [before, current = ''] = words.slice(-2).length === 2 ? words.slice(-2) : ['', ...words];
  const asked = parser.options.find((option) => takesValue(option) && (option.long === before || option.short === before));
  if (asked !== undefined) return choicesOf(asked.argChoices);
  const [name = '', typed] = current.split('=');
  const begun = typed === undefined ? undefined : parser.options.find((option) => option.long === name);
  if (begun !== undefined) return choicesOf(begun.argChoices).map(({ word, about }) => ({ word: `${name}=${word}`, about }));
  if (current.startsWith('-')) {
    return [
      ...parser.options.flatMap((option) => (option.long ? [{ word: option.long, about: option.description }] : [])),
      { word: '--help', about: 'Show this help.' },
    ];
  }
  const choices = parser.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  return choices.length > 0 ? choicesOf(choices) : undefined;
};

const takesValue = (option: Option): boolean => option.required || option.optional;

const choicesOf = (choices: readonly string[] | undefined): Candidate[] => (choices ?? []).map((word) => ({ word, about: '' }));

/** The names of all actions, without `FA_` for who types them so. */
export const actionCandidates = (registry: Registry, typed: string): Candidate[] => {
  const isFull = 'FA_'.startsWith(typed) || typed.startsWith('FA_');
  return registry.names().map((name) => ({ word: isFull ? name : name.replace(/^FA_/, ''), about: registry.about(name)?.family ?? '' }));
};
