import { MASK } from './secret.ts';
import { SECRET_ENDING } from './secret-keys.ts';

// Each repetition excludes the characters that start its pattern, so the time stays linear in the length of the text.
const userinfo = /:\/\/[^\s/?#"<>\\`]+@/g;
const secretParameter = new RegExp(`([?&#](?:key|sig|[^\\s=&?#"<>]{0,80}?(?:signature|${SECRET_ENDING}))=)[^\\s&#"<>]+`, 'gi');
const credentials = /\b(bearer|basic)(\s{1,8})([\w.~+/=-]+)/gi;

/** Masks what its surroundings show to be a secret: URL userinfo, query parameters named like one, Bearer and Basic credentials. */
export const maskCredentials = (text: string): string => {
  let masked = text; // the cheap questions come first: most texts hold nothing of the kind
  if (masked.includes('://')) masked = masked.replace(userinfo, `://${MASK}@`);
  if (masked.includes('=')) masked = masked.replace(secretParameter, `$1${MASK}`);
  return masked.replace(credentials, (written, scheme: string, gap: string, value: string, at: number, whole: string) =>
    isProse(value) && !endsWithHeaderName(whole.slice(Math.max(0, at - 20), at)) ? written : `${scheme}${gap}${MASK}`,
  );
};

/** Speaks of basic authentication or the bearer of news: a short word, or a few joined by hyphens. */
const isProse = (value: string): boolean => value.length < 6 || (value.length < 16 && /^[A-Z]?[a-z]*(?:-[a-z]+)*\.?$/.test(value));

const endsWithHeaderName = (text: string): boolean => /authorization\W{1,5}$/i.test(text);
