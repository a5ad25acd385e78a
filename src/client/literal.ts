/** The same value with every `${` in its texts escaped, so that the server takes them as they stand and reads no reference. */
export const literal = <T>(value: T): T => escaped(value) as T; // texts become texts; everything else keeps its shape

const escaped = (value: unknown): unknown => {
  if (typeof value === 'string') return value.split('${').join('$${');
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escaped(item)]));
};
