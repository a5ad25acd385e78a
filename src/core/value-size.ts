import { PrintedValue } from './printed.ts';

/** Containers from this size on are remembered; what is smaller is quickly looked through again. */
const WORTH_REMEMBERING = 1024;
/** What every element of a value takes beside its text, in memory and as JSON: about a pointer and a comma. */
const ELEMENT_BYTES = 8;
/** What is deeper than this contains itself. */
const MAX_DEPTH = 1_000;

/**
 * Tells about how long values are as JSON, in bytes. A value that is made of earlier ones holds the same objects many times, so it can be
 * short in memory and endless as JSON: what was measured once is not walked through again, and no walk goes on beyond `most`.
 */
export class ValueSizes {
  /** Made when something is remembered: most values are short. */
  #known: WeakMap<object, number> | undefined;

  /** The size of a value; infinite where it is more than `most`. */
  of(value: unknown, most: number): number {
    if (typeof value === 'string') return value.length > most ? Number.POSITIVE_INFINITY : value.length;
    return typeof value === 'object' && value !== null ? this.#ofObject(value, most, 0) : ELEMENT_BYTES;
  }

  #ofObject(value: object, most: number, depth: number): number {
    if (value instanceof PrintedValue) return 0; // bytes on their way to the terminal
    const known = this.#known?.get(value);
    if (known !== undefined) return known > most ? Number.POSITIVE_INFINITY : known;
    if (depth > MAX_DEPTH || most < 0) return Number.POSITIVE_INFINITY;
    const size = Array.isArray(value) ? this.#ofList(value, most, depth) : this.#ofKeys(value, most, depth);
    if (size < WORTH_REMEMBERING || size === Number.POSITIVE_INFINITY) return size;
    this.#known ??= new WeakMap();
    this.#known.set(value, size);
    return size;
  }

  #ofList(list: readonly unknown[], most: number, depth: number): number {
    let size = ELEMENT_BYTES;
    for (const each of list) {
      size += ELEMENT_BYTES + this.#ofElement(each, most - size, depth);
      if (size > most) return Number.POSITIVE_INFINITY;
    }
    return size;
  }

  #ofKeys(object: object, most: number, depth: number): number {
    let size = ELEMENT_BYTES;
    for (const [key, each] of Object.entries(object)) {
      size += ELEMENT_BYTES + key.length + this.#ofElement(each, most - size, depth);
      if (size > most) return Number.POSITIVE_INFINITY;
    }
    return size;
  }

  #ofElement(value: unknown, most: number, depth: number): number {
    if (typeof value === 'string') return value.length;
    return typeof value === 'object' && value !== null ? this.#ofObject(value, most, depth + 1) : 0;
  }
}
