import { either, flag, text } from '../../core/args.ts';
import { isWithin, safeJoin } from '../../lib/fs/safe-path.ts';
import { callable, callableLater, handed } from '../library/arguments.ts';
import { validateHttpUrl } from '../library/validate-http-url.ts';

/** Gives a URL back that leads to a public machine; throws `UrlValidationException` for every other. */
export const validate_http_url = callableLater(
  'validate_http_url',
  [
    ['url', text('The URL.')],
    ['allow_private', flag('Whether private addresses pass.', { default: false })],
  ],
  ({ url, allow_private }) => validateHttpUrl(url, allow_private),
);

/** What the check of paths judges itself: only an object could be meant as arguments by name. */
const judgedPath = handed<unknown>('a path', (value) => typeof value !== 'object');
const PLACE = [
  ['root', text('The directory that holds it.')],
  ['user_path', either('The path of somebody else.', [judgedPath])],
] as const;

/** The real path of `user_path` at or below `root`; throws `PathTraversalException` for what leaves it. */
export const safe_join = callable('safe_join', PLACE, ({ root, user_path }) => safeJoin(root, user_path));

/** Whether `user_path` ends at or below `root`. */
export const is_within = callable('is_within', PLACE, ({ root, user_path }) => isWithin(root, user_path));
