import { troubleOf } from './exceptions.ts';

/** The address of a server, ending with a slash: paths are added behind it. */
export const baseOf = (base: string | URL): URL => {
  const url = URL.canParse(String(base)) ? new URL(base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw troubleOf(
      'The address of a server looks like http://127.0.0.1:9944, with no name or password in it; a secret is given as sharedSecret.',
      { trouble: 'misuse', remedy: 'Pass the address that the server printed.' },
    );
  }
  url.search = '';
  url.hash = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
};

/** The header that carries a secret. */
export const authorization = (secret: string | undefined): Readonly<Record<string, string>> => {
  if (secret === undefined) return {};
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    throw troubleOf('The secret is empty or has characters that a header cannot carry, such as a line end; pass it without.', {
      trouble: 'misuse',
      remedy: 'Pass letters, digits and signs of ASCII.',
    });
  }
  return { Authorization: `Bearer ${secret}` };
};
