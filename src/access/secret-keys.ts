const KEY_OWNERS = 'api|access|account|auth|encryption|master|private|secret|shared|signing|ssh|storage|subscription';

/** How the name of a secret ends, in any case: `db_password`, `apiKey`, `X-Auth-Token`; not `tokens` or `passwordHint`. */
export const SECRET_ENDING = `(?:${[
  'pass(?:word|wd|phrase|code)',
  'pwd',
  'secret',
  'token',
  'jwt',
  'bearer',
  'authorization',
  'cookies?',
  'credentials?',
  'connection[-_. ]?string',
  `(?:${KEY_OWNERS})[-_. ]?key(?:[-_. ]?id)?`,
  '(?<![a-z])(?:pass|pw|auth|creds?)',
].join('|')})`;

const secretKey = new RegExp(`${SECRET_ENDING}$`, 'i');
const shortWordInCamelCase = /[a-z\d](?:Pass|Pw|Auth|Creds?)$/; // any-case matching cannot tell smtpPass from compass

/** Whether the value under a JSON key of this name is hidden where keys are looked at. */
export const isSecretKey = (key: string): boolean => secretKey.test(key) || shortWordInCamelCase.test(key);
