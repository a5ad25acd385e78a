import { checkStrict } from './check.ts';
import { decode } from './decode.ts';

/** What a caller of `readJson` may choose. */
export interface ReadJsonOptions {
  /** How deep arrays and objects may nest; the outermost is level 1. */
  readonly maxDepth?: number;
  /** Whether a byte order mark may come first, as some editors write it into files. */
  readonly allowBom?: boolean;
  /** The file, for messages. */
  readonly name?: string;
  /**
   * Whether an error carries the broken line as `context.excerpt: { text, pointer }` (see `Place`). For a terminal only: the line may hold
   * secrets, and errors travel to logs and history.
   */
  readonly excerpt?: boolean;
}

/**
 * Reads JSON that every reader understands alike. Beyond the grammar it refuses bad UTF-8, duplicate keys, lone surrogates, deep nesting,
 * integers that would be rounded and numbers that would overflow, with a JsonActionException that names the place.
 */
export const readJson = (
  input: Uint8Array | string,
  { maxDepth = 64, allowBom = false, name, excerpt = false }: ReadJsonOptions = {},
): unknown => {
  const source = decode(input, { allowBom, name, excerpt });
  checkStrict(source, maxDepth);
  return JSON.parse(source.text);
};
