import { ValidationException } from '../../core/errors.ts';
import { expandBraces, type Refuse } from './globs-braces.ts';
import { parseForm } from './globs-parse.ts';

/** The longest run of characters that stands as it is in every last name a valid pattern matches; undefined where none is sure. */
export const textInNames = (pattern: string): string | undefined => {
  const refuse: Refuse = (fault) => new ValidationException(`The pattern ${fault}.`);
  const [form = '', ...others] = expandBraces(pattern, refuse);
  const last = parseForm(form, refuse).at(-1);
  if (others.length > 0 || last === undefined || last === '**') return undefined;
  const texts = last.flatMap((token) => (token.kind === 'text' ? [token.text] : []));
  return texts.reduce<string | undefined>((longest, text) => (text.length > (longest?.length ?? 0) ? text : longest), undefined);
};
