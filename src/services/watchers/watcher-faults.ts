import { TriggerException } from '../../core/errors.ts';

const refused = (name: string, message: string, cause?: unknown): TriggerException =>
  new TriggerException(message, { context: { name }, cause });
const quoted = (name: string): string => JSON.stringify(name);

/** Refuses a name that could not be written in a line. */
export const demandName = (name: string): void => {
  if (!/^[^\p{Cc}]{1,256}$/u.test(name)) throw refused(name, 'A watcher needs a name of 1 to 256 characters on one line.');
};

export const unknownWatcher = (name: string) => refused(name, `No watcher is called ${quoted(name)}; FA_watch_list shows all.`);

export const doubleWatcher = (name: string) =>
  refused(name, `A watcher is called ${quoted(name)} already; stop that one or choose another name.`);

export const noList = (name: string) =>
  refused(name, `The watcher ${quoted(name)} has no list of commands; give an array, or an object with \`actions\` or \`nodes\`.`);

export const configuredWatcher = (name: string) =>
  refused(name, `The watcher ${quoted(name)} stands in the configuration; take it out there, or set \`enabled = false\`.`);

export const nothingThere = (name: string, path: string) =>
  new TriggerException(`Nothing is at ${path} to be watched by ${quoted(name)}; create it first, or check the path.`, {
    context: { name, path },
  });

export const badPattern = (name: string, fault: unknown) =>
  refused(name, `The watcher ${quoted(name)} cannot be made: ${fault instanceof Error ? fault.message : String(fault)}`, fault);

export const badMarker = (name: string, marker: string) =>
  refused(name, `The ready marker ${quoted(marker)} of ${quoted(name)} needs exactly one \`*\` and another character, and no \`/\`.`);
