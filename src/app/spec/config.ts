import { AutomationConfig as Configuration, type SinkTable, type SinkTaker } from '../library/automation-config.ts';
import { ConfigWatcher as Watcher } from '../library/config-watcher.ts';
import { readArguments } from './keywords.ts';

/** A configuration file as a program uses it. */
export class AutomationConfig {
  readonly #config: Configuration;

  private constructor(config: Configuration) {
    this.#config = config;
  }

  static async load(path?: string | { readonly path?: string }): Promise<AutomationConfig> {
    const given = readArguments<{ readonly path?: string }>('AutomationConfig.load', { path: 'string' }, [path]);
    return AutomationConfig.of(await Configuration.load(given.path));
  }

  /** The same configuration under these names. */
  static of(config: Configuration): AutomationConfig {
    return new AutomationConfig(config);
  }

  section: Configuration['section'] = (name) => this.#config.section(name);

  notification_sinks(): Promise<readonly SinkTable[]> {
    return this.#config.notificationSinks();
  }

  apply_to(taker: SinkTaker): Promise<number> {
    return this.#config.applyTo(taker);
  }
}

interface WatcherArguments {
  readonly interval?: number;
}

/** Looks at a configuration file and hands it over whenever it changes. */
export class ConfigWatcher {
  readonly #watcher: Watcher;

  constructor(path: string, on_change: (config: AutomationConfig) => unknown, interval?: number | WatcherArguments) {
    const options = readArguments<WatcherArguments>('ConfigWatcher', { interval: 'number' }, [interval]);
    this.#watcher = new Watcher(path, (config) => on_change(AutomationConfig.of(config)), options);
  }

  start(): Promise<void> {
    return this.#watcher.start();
  }

  check_once(): Promise<boolean> {
    return this.#watcher.checkOnce();
  }

  stop(): Promise<void> {
    return this.#watcher.stop();
  }
}
