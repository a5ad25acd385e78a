import { resolve } from 'node:path';
import type { SetTimer } from '../../lib/async/timer.ts';
import { demandKnownKeys, type KnownKeys } from '../../lib/text/known-keys.ts';
import { createFileWatch, type FileWatch } from '../../services/config/file-watch.ts';
import { sharedFactotum } from '../shared-factotum.ts';
import { AutomationConfig } from './automation-config.ts';

export interface ConfigWatcherOptions {
  /** Seconds between two looks at the file; 2 unless said. */
  readonly interval?: number;
  /** Told, once of each, why the file cannot be used; left out, the log and the sinks of the shared instance are. */
  readonly onFault?: (fault: unknown) => void;
  readonly setTimer?: SetTimer;
}

const KNOWN: KnownKeys<ConfigWatcherOptions> = { interval: true, onFault: true, setTimer: true };

/**
 * Looks at a configuration file and hands it over whenever it changes. One that is broken, or that the program does not take, changes
 * nothing.
 */
export class ConfigWatcher implements AsyncDisposable {
  readonly #path: string;
  readonly #onChange: (config: AutomationConfig) => unknown;
  readonly #onFault: ((fault: unknown) => void) | undefined;
  readonly #watch: FileWatch;
  #config: AutomationConfig | undefined;
  #toldFault: string | undefined;

  constructor(path: string, onChange: (config: AutomationConfig) => unknown, options: ConfigWatcherOptions = {}) {
    demandKnownKeys(options, KNOWN, 'ConfigWatcher');
    const { interval = 2, onFault, setTimer } = options;
    this.#path = resolve(path);
    this.#onChange = onChange;
    this.#onFault = onFault;
    this.#watch = createFileWatch({
      path: this.#path,
      intervalMs: interval * 1000,
      onChange: () => this.#takeOver(),
      ...(setTimer && { setTimer }),
    });
  }

  /** What was handed over last; undefined before the first change. */
  get config(): AutomationConfig | undefined {
    return this.#config;
  }

  /** Takes what the file holds now as known, and looks at it regularly from now on. */
  async start(): Promise<void> {
    await this.#watch.look();
    this.#watch.start();
  }

  /** Looks now; true where a new configuration was handed over. The first look only takes note. */
  async checkOnce(): Promise<boolean> {
    const before = this.#config;
    await this.#watch.look();
    return this.#config !== before;
  }

  /** Looks no more. */
  stop(): Promise<void> {
    return this.#watch.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #takeOver(): Promise<void> {
    try {
      const config = await AutomationConfig.load(this.#path);
      await this.#onChange(config);
      this.#config = config;
      if (this.#toldFault !== undefined) this.#tell();
      this.#toldFault = undefined;
    } catch (fault) {
      const reason = String(fault);
      if (reason !== this.#toldFault) this.#tell(fault);
      this.#toldFault = reason;
    }
  }

  /** Tells of a fault, or, without one, that it is mended. */
  #tell(fault?: unknown): void {
    if (this.#onFault !== undefined) {
      if (fault !== undefined) this.#onFault(fault);
      return;
    }
    const { log, state } = sharedFactotum();
    const path = this.#path;
    if (fault !== undefined) log('error', 'the configuration cannot be taken over; the old one stays', { path, reason: String(fault) });
    // Told beside the looks: an answer of a sink may take longer than the next change.
    void state().then(({ notifier }) => notifier.checked(path, fault));
  }
}
