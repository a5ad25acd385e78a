/** Where a pattern matched, and what its groups hold; group 0 is the whole match, one that took no part is undefined. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | undefined)[];
}

/** Finds the first match that starts at or after a place of the text. */
export type Find = (text: string, from: number) => Match | undefined;

/** All matches one after the other. After an empty one the search goes on one character further. */
export function* eachMatch(find: Find, text: string, from: number, until: number): Generator<Match> {
  for (let at = from; at <= until; ) {
    const match = find(text, at);
    if (match === undefined || match.start > until) return;
    yield match;
    at = match.end > match.start ? match.end : match.end + ((text.codePointAt(match.end) ?? 0) > 0xffff ? 2 : 1);
  }
}
