import type { Log } from '../../core/ports.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { State } from '../state/state.ts';
import type { Change, Part } from './change.ts';
import { boundKeys } from './restart.ts';

export interface ReloadParts {
  readonly started: LoadedConfig;
  /** Reads the configuration again, from where it was read at the start. */
  read(): Promise<LoadedConfig>;
  readonly notifier: Pick<State['notifier'], 'checked'>;
  readonly log: Log;
  /** What changes, in this order. */
  readonly parts: readonly Part[];
}

/** Takes a changed configuration over while a service runs. */
export interface Reload {
  readonly current: LoadedConfig;
  /** From now on this part changes with the configuration, after the others; it must not fail once it is prepared. */
  join(part: Part): void;
  /**
   * Reads the configuration and takes it over as a whole; throws, and keeps the old one, where it cannot. People are told, once of each
   * fault, and when it is mended.
   */
  now(): Promise<LoadedConfig>;
  /** The same where the file has changed since, for whoever cannot do anything about a fault: never throws. */
  follow(): Promise<void>;
}

/** Under this name people hear of a configuration that cannot be taken over. */
export const CONFIGURATION = 'configuration';

export const createReload = ({ started, read, notifier, log, ...given }: ReloadParts): Reload => {
  const parts = [...given.parts];
  let current = started;
  let last: Promise<unknown> = Promise.resolve();
  let toldFault: string | undefined;
  let toldKeys = '';

  const takeOver = async (next: LoadedConfig): Promise<void> => {
    const changes: Change[] = [];
    try {
      for (const part of parts) changes.push(await part.prepare(next));
      for (const { apply } of changes) await apply();
    } catch (fault) {
      for (const change of changes.reverse()) await takeBack(change);
      throw fault;
    }
    current = next;
  };

  const takeBack = async ({ revert }: Change): Promise<void> => {
    try {
      await revert();
    } catch (fault) {
      log('error', 'a part of the new configuration could not be taken back; restart the service', { reason: wordsOf(fault) });
    }
  };

  const attempt = async (isDemanded: boolean): Promise<LoadedConfig> => {
    try {
      const next = await read();
      if (!isDemanded && toldFault === undefined && next.text === current.text) return current;
      await takeOver(next);
      tellSuccess(next);
      return next;
    } catch (fault) {
      tellFault(fault);
      throw fault;
    }
  };

  const tellSuccess = ({ path, config, warnings }: LoadedConfig) => {
    log('info', 'the configuration is taken over', { path });
    for (const warning of warnings()) log('warn', warning);
    const keys = boundKeys(started.config, config);
    if (keys.length > 0 && keys.join() !== toldKeys) log('warn', 'some changes of the configuration need a restart', { keys: [...keys] });
    toldKeys = keys.join();
    toldFault = undefined;
    void notifier.checked(CONFIGURATION);
  };

  const tellFault = (fault: unknown) => {
    const reason = wordsOf(fault);
    if (reason === toldFault) return;
    toldFault = reason;
    log('error', 'the configuration cannot be taken over; the old one stays', { reason });
    void notifier.checked(CONFIGURATION, fault);
  };

  /** One after the other: the second must not take back what the first has not made yet. */
  const inTurn = (isDemanded: boolean): Promise<LoadedConfig> => {
    const turn = last.then(() => attempt(isDemanded));
    last = turn.catch(() => {});
    return turn;
  };

  return {
    get current() {
      return current;
    },
    join: (part) => void parts.push(part),
    now: () => inTurn(true),
    async follow() {
      await inTurn(false).catch(() => {}); // told
    },
  };
};

const wordsOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));
