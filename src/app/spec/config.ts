import { either, number, text } from '../../core/args.ts';
import { type CallOf, handed, readArguments } from '../library/arguments.ts';
import { type Config, AutomationConfig as Configuration, type SinkTable, type SinkTaker } from '../library/automation-config.ts';
import { ConfigWatcher as Watcher } from '../library/config-watcher.ts';

const FILE = [['path', text('The file.', { default: null })]] as const;
const TAKER = [
  [
    'manager',
    either('Who takes the sinks.', [
      handed<SinkTaker>('an object with register()', (value) => typeof (value as Partial<SinkTaker> | null)?.register === 'function'),
    ]),
  ],
] as const;

/** A configuration file as a program uses it. */
export class AutomationConfig {
  readonly #config: Configuration;

  private constructor(config: Configuration) {
    this.#config = config;
  }

  static async load(...call: CallOf<typeof FILE>): Promise<AutomationConfig> {
    return AutomationConfig.of(await Configuration.load(readArguments('AutomationConfig.load', FILE, call).path ?? undefined));
  }

  /** The same configuration under these names. */
  static of(config: Configuration): AutomationConfig {
    return new AutomationConfig(config);
  }

  section<Name extends keyof Config>(name: Name): Config[Name] {
    return this.#config.section(name);
  }

  notification_sinks(): Promise<readonly SinkTable[]> {
    return this.#config.notificationSinks();
  }

  async apply_to(...call: CallOf<typeof TAKER>): Promise<number> {
    return this.#config.applyTo(readArguments('AutomationConfig.apply_to', TAKER, call).manager);
  }
}

type OnChange = (config: AutomationConfig) => unknown;
const WATCHER = [
  ['path', text('The file.', { minLength: 1 })],
  ['on_change', either('Called with each new configuration.', [handed<OnChange>('a function', (value) => typeof value === 'function')])],
  ['interval', number('Seconds between two looks.', { default: 2, above: 0 })],
] as const;

/** Looks at a configuration file and hands it over whenever it changes. */
export class ConfigWatcher {
  readonly #watcher: Watcher;

  constructor(...call: CallOf<typeof WATCHER>) {
    const { path, on_change, interval } = readArguments('ConfigWatcher', WATCHER, call);
    this.#watcher = new Watcher(path, (config) => on_change(AutomationConfig.of(config)), { interval });
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
