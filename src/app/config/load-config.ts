import { join, resolve as resolvePath } from 'node:path';
import { createMasker } from '../../access/mask.ts';
import { MASK } from '../../access/secret.ts';
import { rewriteJson } from '../../lib/json/rewrite.ts';
import type { Config } from '../../services/config/config.generated.ts';
import { type DeepPartial, loadSettings, type SettingsOptions } from '../../services/config/load.ts';
import {
  type ConfigReference,
  configReferences,
  resolveSection,
  withoutSecrets,
  writtenSecrets,
} from '../../services/config/references.ts';
import { configWarnings } from '../../services/config/warnings.ts';
import { createSecretChain } from '../../services/secrets/chain.ts';
import { createEnvProvider } from '../../services/secrets/env-provider.ts';
import { createFileProvider } from '../../services/secrets/file-provider.ts';
import { unmatchedRules } from './unmatched-rules.ts';

export type { Config, DeepPartial };

/** Where to look for a configuration, and what is stronger than its file. */
export interface ConfigOptions extends SettingsOptions {
  /** Files from which flags took secrets. */
  readonly secretFiles?: readonly string[];
  /** Told of every secret that becomes known, so that it can be masked. */
  learn?(secret: string): void;
}

/** Whether a reference leads to a value; the value itself is not told. */
export interface ReferenceCheck {
  readonly key: string;
  readonly reference: string;
  readonly ok: boolean;
  /** Why it does not resolve, or what to mend although it does. */
  readonly message?: string;
}

/** A configuration in use. */
export interface LoadedConfig {
  /** Defaults filled in, paths absolute, references as written. */
  readonly config: Config;
  /** The file it was read from, and what that held. */
  readonly path?: string;
  readonly text?: string;
  /** The text with its references replaced by their values; throws `SecretNotFoundException` naming the reference and the key. */
  resolve(text: string, key: string): Promise<string>;
  /** A section with all its references replaced. */
  resolveSection<Name extends keyof Config>(name: Name): Promise<Config[Name]>;
  /** Every reference that was written. */
  references(): readonly ConfigReference[];
  /** Tries every reference. */
  checkReferences(): Promise<readonly ReferenceCheck[]>;
  /** Files with secrets in them: its own, where one is written there, those that references name, and those of flags. */
  secretFiles(): readonly string[];
  /** The configuration as it may be shown. */
  shown(): Config;
  /** What works but should be mended. */
  warnings(): readonly string[];
}

/** Loads the configuration: flags before `FACTOTUM_*` variables before the file before defaults. */
export const loadConfig = async ({ learn, secretFiles = [], ...options }: ConfigOptions): Promise<LoadedConfig> => {
  const settings = await loadSettings(options);
  const { config, path, text, written } = settings;
  const { file_root: root } = config.secrets;
  const secrets = createSecretChain([createEnvProvider(options.env), createFileProvider(root)], learn);
  const references = configReferences(written);
  for (const { value } of writtenSecrets(written)) learn?.(value);

  const check = async (reference: ConfigReference): Promise<ReferenceCheck> => {
    const found = await secrets.find(reference);
    const message = 'missing' in found ? found.missing : found.warning;
    return { key: reference.key, reference: reference.written, ok: 'value' in found, ...(message !== undefined && { message }) };
  };

  const resolve = (text: string, key: string) => secrets.resolve(text, writtenKey(text, key, references));

  return {
    config,
    ...(path !== undefined && { path }),
    ...(text !== undefined && { text }),
    resolve,
    resolveSection: (name) => resolveSection(config, name, resolve),
    references: () => references,
    checkReferences: () => Promise.all(references.map(check)),
    secretFiles: () => [
      ...secretFiles.map((file) => resolvePath(options.cwd, file)),
      ...(path !== undefined && writtenSecrets(written).some(({ value }) => text?.includes(value)) ? [path] : []),
      ...references.flatMap(({ kind, name }) => (kind === 'file' && root !== undefined ? [join(root, name)] : [])),
    ],
    shown: () => shownConfig(config),
    warnings: () => [...unmatchedRules(config), ...configWarnings(settings, options.env)],
  };
};

/** The JSON Schema of `factotum.toml`. */
export const configSchema = async (): Promise<object> => (await import('../../services/config/json-schema.ts')).configJsonSchema();

/** Lists and addresses may hold secrets too, which only their look gives away. */
const shownConfig = (config: Config): Config => {
  const { text, json } = createMasker();
  const { schedules, watchers, ...rest } = withoutSecrets(config, MASK);
  return { ...(rewriteJson(rest, { text }) as typeof rest), schedules: json(schedules), watchers: json(watchers) } as Config; // masking keeps the shape
};

/** A door may use what was written for all of them: then that is the place to mend. */
const writtenKey = (text: string, key: string, references: readonly ConfigReference[]): string => {
  const holders = references.filter(({ written }) => text.includes(written)).map((reference) => reference.key);
  return holders.includes(key) ? key : (holders[0] ?? key);
};
