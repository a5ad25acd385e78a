/** A command line that a shell reads back as these words. */
export const shellWords = (words: readonly string[]): string => words.map(quote).join(' ');

const quote = (word: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return CONTROL.test(word)
    ? `$'${word.replace(/['\\]/g, '\\$&').replace(EVERY_CONTROL, escapeControl)}'`
    : `'${word.replaceAll("'", "'\\''")}'`;
};

const CONTROL = /[\u0000-\u001f\u007f]/;
const EVERY_CONTROL = new RegExp(CONTROL, 'g');

const escapeControl = (character: string): string =>
  character === '\n' ? '\\n' : character === '\t' ? '\\t' : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
