/** Shorter values are not masked: they would hit ordinary text too often. */
export const SHORTEST_SECRET = 6;

/** The texts under which a secret may show up: itself and each of its longer lines, raw and in the usual encodings. */
export const formsOf = (secret: string): ReadonlySet<string> => {
  const lines = secret.split(/\r\n|\r|\n/).filter((line) => line.length >= SHORTEST_SECRET);
  return new Set([secret, ...lines].flatMap(encodingsOf));
};

const encodingsOf = (text: string): string[] => {
  const bytes = Buffer.from(text);
  const base64 = bytes.toString('base64');
  return [
    text,
    ...percentEncodings(bytes.toString()), // through bytes: a lone surrogate would make the encoders throw
    ...jsonEscapes(text),
    ...htmlEscapes(text),
    base64,
    base64.replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ];
};

/** As a parameter, as part of an address, and as a form field; with hexadecimal digits in both cases. */
const percentEncodings = (text: string): string[] => {
  const encoded = [encodeURIComponent(text), encodeURI(text), new URLSearchParams([['', text]]).toString().slice(1)];
  return [...encoded, ...encoded.map((form) => form.replace(/%../g, (code) => code.toLowerCase()))];
};

/** With letters beyond ASCII as they are, and escaped as some writers do. */
const jsonEscapes = (text: string): string[] => {
  const escaped = JSON.stringify(text).slice(1, -1);
  return [escaped, escaped.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)];
};

/** Inside an element quotes may stay; inside an attribute there are several ways to write them. */
const htmlEscapes = (text: string): string[] => {
  const inElement = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const inAttribute = inElement.replaceAll('"', '&quot;');
  const apostrophes = ['&#39;', '&#x27;', '&apos;'].map((apostrophe) => inAttribute.replaceAll("'", apostrophe));
  return [inElement, inAttribute, ...apostrophes];
};
