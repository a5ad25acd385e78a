import { ConfigException } from '../../core/errors.ts';
import { didYouMean } from '../../lib/text/nearest.ts';
import type { Config } from '../../services/config/config.generated.ts';
import { type LoadedConfig, loadConfig } from '../config/load-config.ts';
import { unprinted } from './unprinted.ts';

export type { Config };

/** A table of `[[notify.sinks]]` with its references resolved. */
export type SinkTable = Config['notify']['sinks'][number];

/** Whoever takes sinks, such as the notification manager. */
export interface SinkTaker {
  register(sink: SinkTable): unknown;
}

/** A configuration file as a program uses it. */
export class AutomationConfig {
  readonly #loaded: LoadedConfig;

  private constructor(loaded: LoadedConfig) {
    this.#loaded = loaded;
  }

  /** Reads and checks a file; without a path the one that the command line would find. */
  static async load(path?: string): Promise<AutomationConfig> {
    return new AutomationConfig(await loadConfig({ path, env: process.env, cwd: process.cwd() }));
  }

  /** The file that was read; undefined where there is none and defaults hold. */
  get path(): string | undefined {
    return this.#loaded.path;
  }

  /** One section with its defaults, references as written. Printing it shows no secret. */
  section<Name extends keyof Config>(name: Name): Config[Name] {
    const { config } = this.#loaded;
    if (!Object.hasOwn(config, name)) {
      throw new ConfigException(`There is no section ${name}${didYouMean(name, Object.keys(config)) || '; look at the reference.'}`, {
        context: { section: name },
      });
    }
    return unprinted(name, config[name]);
  }

  /** The sinks with their references resolved, which printing does not show; throws `SecretNotFoundException` for the first that cannot be. */
  async notificationSinks(): Promise<readonly SinkTable[]> {
    return unprinted('notify', await this.#loaded.resolveSection('notify')).sinks;
  }

  /** Registers every sink; answers how many there are. Nothing is registered unless all references resolve. */
  async applyTo(taker: SinkTaker): Promise<number> {
    const sinks = await this.notificationSinks();
    for (const sink of sinks) await taker.register(sink);
    return sinks.length;
  }
}
