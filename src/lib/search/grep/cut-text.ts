/** The text, or its first characters and an ellipsis where it has more. */
export const cutText = (text: string, maxChars: number): string => {
  if (text.length <= maxChars) return text;
  let end = 0;
  for (let count = 0; count < maxChars && end < text.length; count += 1) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return end >= text.length ? text : `${text.slice(0, end)}…`;
};

/** Enough bytes to hold so many characters of a line and show that there are more. */
export const bytesFor = (maxChars: number): number => Math.min(4 * (maxChars + 1), 0x7fff_ffff);
