/** A place in a text of the configuration that stands for a value from elsewhere. */
export interface SecretReference {
  readonly kind: 'env' | 'file';
  readonly name: string;
  /** As written: `${env:NAME}`. */
  readonly written: string;
}

/** `$${` stands for `${` itself. */
const PIECE = /\$\$\{|\$\{(env|file):([^{}]+)\}/g;

/** The references of a text, in order. */
export const referencesIn = (text: string): SecretReference[] =>
  [...text.matchAll(PIECE)].flatMap(([written, kind, name = '']) => (kind === 'env' || kind === 'file' ? [{ kind, name, written }] : []));

/** The text with each reference replaced; what takes its place is not looked into again. */
export const fillReferences = (text: string, look: (written: string) => string): string =>
  text.replace(PIECE, (written) => (written === '$${' ? '${' : look(written)));

/** Whether every `${` of a text begins a reference or stands for itself. */
export const isWellReferred = (text: string): boolean => !text.replace(PIECE, '').includes('${');
