import { ManifestException } from '../../core/errors.ts';

const refused = (name: string, message: string): ManifestException => new ManifestException(message, { context: { name } });

/** Refuses a name that could not be written in a line. */
export const demandName = (name: string): void => {
  if (!/^[^\p{Cc}]{1,256}$/u.test(name)) throw refused(name, 'A monitor needs a name of 1 to 256 characters on one line.');
};

export const unknownSink = (name: string, sink: string) =>
  refused(name, `There is no sink named ${JSON.stringify(sink)} to be told; FA_notify_list shows all.`);

export const unknownMonitor = (name: string) => refused(name, `No monitor is called ${JSON.stringify(name)}; FA_integrity_list shows all.`);

export const doubleMonitor = (name: string) =>
  refused(name, `A monitor is called ${JSON.stringify(name)} already; stop that one or choose another name.`);
