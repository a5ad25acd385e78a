import { formsOf, SHORTEST_SECRET } from './secret-forms.ts';

/** A stretch of text, from `start` up to but not including `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The secrets met so far, and a search for all of them at once. */
export interface KnownSecrets {
  /** Searches for a value of 6 or more characters from now on, in all its forms; shorter ones are left alone. */
  learn(secret: string): void;
  /** Length of the longest form of any secret; 0 when none is known. */
  readonly longest: number;
  /** Where secrets stand in a text, in order; those that overlap are one span. */
  spans(text: string): readonly Span[];
}

const WINDOW = SHORTEST_SECRET;

/**
 * Wu and Manber's search: the last two characters of a window tell how far the window can move before a secret may start in it,
 * so that most of a text is never looked at, however many secrets are known. Learning needs no rebuilding.
 */
export const createKnownSecrets = (): KnownSecrets => {
  const learned = new Set<string>();
  const formsByHead = new Map<string, string[]>(); // the head: the first WINDOW characters; its forms: longest first
  const jumps = new Uint8Array(1 << 16).fill(WINDOW - 1);
  let longest = 0;

  const add = (form: string): void => {
    const head = form.slice(0, WINDOW);
    const forms = formsByHead.get(head) ?? [];
    if (forms.includes(form)) return;
    formsByHead.set(
      head,
      [...forms, form].sort((a, b) => b.length - a.length),
    );
    for (let at = 1; at < WINDOW; at += 1) {
      const pair = pairAt(head, at);
      jumps[pair] = Math.min(jumps[pair] ?? 0, WINDOW - 1 - at);
    }
    longest = Math.max(longest, form.length);
  };

  const formAt = (text: string, start: number): string | undefined =>
    formsByHead.get(text.slice(start, start + WINDOW))?.find((form) => text.startsWith(form, start));

  return {
    learn(secret) {
      if (secret.length < SHORTEST_SECRET || learned.has(secret)) return;
      learned.add(secret);
      for (const form of formsOf(secret)) add(form);
    },
    get longest() {
      return longest;
    },
    spans(text) {
      const spans: { start: number; end: number }[] = [];
      if (longest === 0) return spans;
      for (let last = WINDOW - 1; last < text.length; ) {
        const jump = jumps[pairAt(text, last)] ?? 0;
        if (jump > 0) {
          last += jump;
          continue;
        }
        const start = last - WINDOW + 1;
        const form = formAt(text, start);
        if (form !== undefined) {
          const end = start + form.length;
          const previous = spans.at(-1);
          if (previous !== undefined && start < previous.end) previous.end = Math.max(previous.end, end);
          else spans.push({ start, end });
        }
        last += 1;
      }
      return spans;
    },
  };
};

/** Two neighbouring characters as one number: exact for Latin-1, else shared by several pairs, which only costs a look. */
const pairAt = (text: string, last: number): number => ((text.charCodeAt(last - 1) << 8) ^ text.charCodeAt(last)) & 0xffff;
