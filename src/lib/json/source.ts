import { JsonActionException } from '../../core/errors.ts';
import { locate, visible } from './locate.ts';

/** A text being read, and what its refusals show of it. */
export interface Source {
  readonly text: string;
  readonly name: string | undefined;
  readonly excerpt: boolean;
}

/** The rule that a text breaks, for programs; the message is for people. */
type Reason =
  | 'encoding'
  | 'byte_order_mark'
  | 'empty'
  | 'unfinished'
  | 'syntax'
  | 'trailing'
  | 'duplicate_key'
  | 'lone_surrogate'
  | 'depth'
  | 'integer_range'
  | 'overflow';

/** Throws the one error of this room; `words` says what is wrong and the remedy. */
export const refuse = (source: Source, offset: number, { reason, words }: { reason: Reason; words: string }): never => {
  const { name, text } = source;
  const { line, column, text: shown, pointer } = locate(text, offset);
  const place = name === undefined ? `Line ${line}, column ${column}` : `${visible(name)}:${line}:${column}`;
  throw new JsonActionException(`${place}: ${words}.`, {
    context: {
      ...(name !== undefined && { name }),
      line,
      column,
      offset,
      reason,
      ...(source.excerpt && { excerpt: { text: shown, pointer } }),
    },
  });
};

/** Words for another place in the same text. */
export const placeOf = ({ text }: Source, offset: number): string => {
  const { line, column } = locate(text, offset);
  return `line ${line}, column ${column}`;
};
