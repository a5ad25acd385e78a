import type { Masker } from '../../access/mask.ts';
import type { Json } from '../../core/errors.ts';
import type { Clock, Log, LogLevel } from '../../core/ports.ts';

/** What a log tells, and how. */
export interface LogLook {
  readonly level: LogLevel | 'silent';
  readonly format: 'text' | 'json';
}

/** Level and format are asked for at every line, so they may change. */
export interface LogOptions extends LogLook {
  readonly clock: Clock;
  readonly masker: Masker;
  /** Takes one finished line, without its line end. */
  write(line: string): void;
}

const RANK: Readonly<Record<LogLevel | 'silent', number>> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 };

/** A log of one line per event, as text for people or JSON for machines. Secrets are masked last, control characters escaped. */
export const createLog = (options: LogOptions): Log => {
  const { clock, masker, write } = options;
  return (eventLevel, message, fields = {}) => {
    if (RANK[eventLevel] < RANK[options.level]) return;
    const line = options.format === 'json' ? jsonLine : textLine;
    const at = new Date(clock.now()).toISOString();
    write(line(at, eventLevel, masker.text(message), masker.json(fields) as Fields)); // masking keeps the shape
  };
};

type Fields = { readonly [key: string]: Json | undefined };

const jsonLine = (at: string, level: string, message: string, fields: Fields): string =>
  JSON.stringify({ at, level, message, ...fields }).replace(UNSAFE_IN_JSON, escaped);

const textLine = (at: string, level: string, message: string, fields: Fields): string => {
  const rest = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${typeof value === 'string' ? plain(value) : JSON.stringify(value)}`],
  );
  return [at, level.toUpperCase().padEnd(5), message, ...rest].join(' ').replace(CONTROL, escaped);
};

const plain = (value: string): string => (/^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value));

/** Control and direction characters would let a file name forge or hide a line. JSON has escaped the lower ones already. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A log that says nothing. */
export const silentLog: Log = () => {};
