const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** The text as HTML shows it, in elements and in quoted attributes. It does not judge addresses: `javascript:` stays what it is. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
