import { rewriteJson } from '../lib/json/rewrite.ts';
import { createKnownSecrets, type KnownSecrets } from './known-secrets.ts';
import { maskCredentials } from './mask-credentials.ts';
import { MASK } from './secret.ts';
import { isSecretKey } from './secret-keys.ts';

/**
 * Takes secrets out of what leaves the house. `text` and `json` are for logs, audit, store, pages and messages; `known` and
 * `knownText` for answers, where a key named password may be the caller's own data. All give back the same reference when nothing
 * was masked. Values are seen as JSON shows them, with what an object's `toJSON` gives.
 */
export interface Masker extends KnownSecrets {
  /** Learns the value of an environment variable whose name says that it is a secret, or that was listed as one. */
  learnVariable(name: string, value: string): void;
  /** Masks known secrets and what looks like a credential. */
  text(input: string): string;
  /** `text` on every text and key, and whatever stands under a key named like a secret, unless it is null or empty. */
  json(value: unknown): unknown;
  /** The same, with what is put in the place of each list before it is looked through. */
  jsonOfLists(list: (value: readonly unknown[]) => readonly unknown[]): (value: unknown) => unknown;
  /** Masks known secrets only, in every text and key of a value. */
  known(value: unknown): unknown;
  /** Masks known secrets only. */
  knownText(input: string): string;
}

/** Makes a masker that knows no secret yet. Variables listed here are secrets whatever they are called. */
export const createMasker = (secretVariables: readonly string[] = []): Masker => {
  const secrets = createKnownSecrets();
  const listed = new Set(secretVariables);

  const knownText = (input: string): string => {
    const spans = secrets.spans(input);
    if (spans.length === 0) return input;
    let output = '';
    let from = 0;
    for (const { start, end } of spans) {
      output += input.slice(from, start) + MASK;
      from = end;
    }
    return output + input.slice(from);
  };
  const text = (input: string): string => maskCredentials(knownText(input));

  const everything = { text, key: text, entry: hideUnderSecretKey, instance: asJson };
  const knownOnly = { text: knownText, key: knownText, instance: asJson };
  return {
    learn: secrets.learn,
    learnVariable(name, value) {
      if (listed.has(name) || isSecretName(name)) secrets.learn(value);
    },
    spans: secrets.spans,
    get longest() {
      return secrets.longest;
    },
    text,
    knownText,
    json: (value) => rewriteJson(value, everything),
    jsonOfLists(list) {
      const rewriting = { ...everything, list };
      return (value) => rewriteJson(value, rewriting);
    },
    known: (value) => (secrets.longest === 0 ? value : rewriteJson(value, knownOnly)),
  };
};

const isSecretName = (name: string): boolean => /TOK|SECRET|PASS|KEY|CRED|AUTH/i.test(name);

/** Null and empty are shown: they say that nothing is set. So is a reference, which says where the secret is. */
const hideUnderSecretKey = (key: string, value: unknown): unknown =>
  value === null || value === undefined || value === '' || !isSecretKey(key) || isReference(value) ? value : MASK;

/** Without a fallback, which may be a secret itself. */
const isReference = (value: unknown): boolean => typeof value === 'string' && /^\$\{(?:env|file):[\w./-]+\}$/.test(value);

/** What JSON.stringify would write for an object of a class. */
const asJson = (value: object): unknown => {
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON();
  return ArrayBuffer.isView(value) ? value : { ...value };
};
