import { referencesIn, type SecretReference } from '../../core/secret-reference.ts';
import type { Config } from './config.generated.ts';
import { REFERRING, SECRETS } from './derived.generated.ts';
import { type ConfigTree, keyName, rewriteTexts, textsAt } from './tree.ts';

/** A reference and the key that holds it. */
export interface ConfigReference extends SecretReference {
  readonly key: string;
}

/** Every reference that was written, in the order of keys. */
export const configReferences = (written: ConfigTree): readonly ConfigReference[] =>
  textsAt(written, REFERRING).flatMap(({ path, text }) => referencesIn(text).map((reference) => ({ ...reference, key: keyName(path) })));

/** The secrets that are written out where a reference could stand. */
export const writtenSecrets = (written: ConfigTree): readonly { readonly key: string; readonly value: string }[] =>
  textsAt(written, SECRETS).flatMap(({ path, text }) => (isReference(text) ? [] : [{ key: keyName(path), value: text }]));

/** The configuration as it may be shown: secrets are masked, references are not secrets. */
export const withoutSecrets = (config: Config, mask: string): Config =>
  rewriteTexts(config, SECRETS, (text) => (isReference(text) ? text : mask));

/** A section with its references replaced, each by what `resolve` finds. */
export const resolveSection = async <Name extends keyof Config>(
  config: Config,
  name: Name,
  resolve: (text: string, key: string) => Promise<string>,
): Promise<Config[Name]> => {
  const keys = REFERRING.filter((key) => key.startsWith(`${name}.`));
  const values = new Map<string, string>();
  for (const { path, text } of textsAt(config, keys)) values.set(keyName(path), await resolve(text, keyName(path)));
  return rewriteTexts(config, keys, (text, path) => values.get(keyName(path)) ?? text)[name];
};

const isReference = (text: string): boolean => referencesIn(text)[0]?.written === text;
