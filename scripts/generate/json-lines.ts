/** JSON with one line for each entry of the top two levels: small, and a change of one action is a change of one line. */
export const jsonLines = (document: Readonly<Record<string, unknown>>): string =>
  `{\n${Object.entries(document)
    .map(([key, value]) => `${JSON.stringify(key)}: ${lines(value)}`)
    .join(',\n')}\n}\n`;

const lines = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[\n${value.map((item) => JSON.stringify(item)).join(',\n')}\n]`;
  return `{\n${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${JSON.stringify(item)}`)
    .join(',\n')}\n}`;
};
