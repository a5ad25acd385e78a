import { inspect } from 'node:util';

/** What is shown where a secret stood. */
export const MASK = '***';

/** A secret on its way through the house: printing, logging or storing it shows a mask. */
export interface Secret {
  /** The value itself; call it only where the value is used. */
  reveal(): string;
  toString(): string;
  toJSON(): string;
  [inspect.custom](): string;
}

/** Wraps a secret value. */
export const createSecret = (value: string): Secret =>
  Object.freeze({
    reveal: () => value,
    toString: () => MASK,
    toJSON: () => MASK,
    [inspect.custom]: () => '[masked]',
  });
