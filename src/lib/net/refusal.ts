import { UrlValidationException } from '../../core/errors.ts';

/** Why an address is refused; the first rule that it breaks. */
export type RefusalReason =
  | 'parse'
  | 'too-long'
  | 'chars'
  | 'scheme'
  | 'userinfo'
  | 'port'
  | 'address'
  | 'name'
  | 'resolve'
  | 'downgrade'
  | 'redirects';

const WORDS: Readonly<Record<RefusalReason, string>> = {
  parse: 'it is not a whole URL; write it as https://host/path',
  'too-long': 'it has more than 2048 characters',
  chars: 'it holds white space, control characters or a backslash; percent-encode them',
  scheme: 'only http and https are allowed',
  userinfo: 'it holds a user name or password; send them in a header',
  port: 'its port belongs to another protocol',
  address: 'it leads to an address that is not public; allow private hosts if that is meant',
  name: 'its name stands for this machine or network; allow private hosts if that is meant',
  resolve: 'its name has no address; check it',
  downgrade: 'it redirects from https to http',
  redirects: 'it redirects too often, or where no redirect is followed',
};

/** The refusal of a URL, or of a host without one. A name without an address may have one later. */
export const refused = (reason: RefusalReason, what: unknown, context: { readonly [key: string]: string } = {}): UrlValidationException => {
  const shown = shownUrl(what);
  return new UrlValidationException(`The address ${shown} is refused: ${WORDS[reason]}.`, {
    context: { reason, url: shown, ...context },
    retryable: reason === 'resolve',
  });
};

/** Why an address was refused, in words that show nothing of it. */
export const whyRefused = ({ context: { reason } }: UrlValidationException): string =>
  Object.entries(WORDS).find(([each]) => each === reason)?.[1] ?? 'it cannot be used';

/** A URL as messages may show it: without credentials and without its query, which often holds some. */
export const shownUrl = (url: unknown): string =>
  typeof url === 'string'
    ? url
        .slice(0, 200)
        .replace(/[?#].*$/s, '')
        .replace(/\/\/[^/]*@/, '//***@')
    : `of the type ${Array.isArray(url) ? 'list' : typeof url}`;
