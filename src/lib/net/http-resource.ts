/** What the head of an answer says of the resource behind it. */
export interface HttpResource {
  /** Of the whole resource, also where the answer holds a part of it. */
  readonly bytes?: number;
  readonly modifiedMs?: number;
  /**
   * Tells one content from another, byte for byte, and can be sent back as it stands in `If-Range`: a strong ETag, or else the time of the
   * last change. Left out where the server has neither.
   */
  readonly validator?: string;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** Reads what an answer says of its resource; whatever is malformed counts as not said. */
export const describeResource = (status: number, headers: Headers): HttpResource => {
  const bytes =
    status === 206 || status === 416 ? parseContentRange(headers['content-range'])?.total : readLength(headers['content-length']);
  const modifiedMs = readDate(headers['last-modified']);
  const validator = strongTag(headers.etag) ?? settledDate(headers, modifiedMs);
  return {
    ...(bytes !== undefined && { bytes }),
    ...(modifiedMs !== undefined && { modifiedMs }),
    ...(validator !== undefined && { validator }),
  };
};

/** Whether an answer is about the content that a validator was given for; undefined where it does not say. */
export const isSameContent = (validator: string, headers: Headers): boolean | undefined => {
  const told = validator.startsWith('"') ? headers.etag : headers['last-modified'];
  return told === undefined ? undefined : told.replace(/^W\//, '') === validator; // a front may weaken a tag and keep its bytes
};

/** The condition under which a whole answer is wanted: the content is still the one of the validator. */
export const onlyIfSame = (validator: string): Readonly<Record<string, string>> =>
  validator.startsWith('"') ? { 'if-match': validator } : { 'if-unmodified-since': validator };

/** What a `Content-Range` says: the part (of 206), the length of the whole (also of 416) where it is known. */
export interface ContentRange {
  readonly start?: number;
  /** Does not count to it. */
  readonly end?: number;
  readonly total?: number;
}

/** Reads a `Content-Range`; undefined for one that is malformed or says the impossible. */
export const parseContentRange = (value: string | undefined): ContentRange | undefined => {
  const [, first, last, all] = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15}|\*)$/i.exec(value ?? '') ?? [];
  if (all === undefined) return undefined;
  const total = all === '*' ? undefined : Number(all);
  if (first === undefined || last === undefined) return total === undefined ? undefined : { total };
  const [start, end] = [Number(first), Number(last) + 1];
  if (start >= end || (total !== undefined && end > total)) return undefined;
  return { start, end, ...(total !== undefined && { total }) };
};

const readLength = (value: string | undefined): number | undefined =>
  value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;

const strongTag = (tag: string | undefined): string | undefined =>
  tag !== undefined && /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(tag) ? tag : undefined;

/** A file that was changed within the second of the answer may be changed again in the same second. */
const settledDate = (headers: Headers, modifiedMs: number | undefined): string | undefined => {
  const answeredMs = readDate(headers.date);
  if (modifiedMs === undefined || (answeredMs !== undefined && answeredMs - modifiedMs < 1000)) return undefined;
  return headers['last-modified'];
};

/** Only the form that HTTP writes: other readings of dates are guesses. */
const readDate = (value: string | undefined): number | undefined => {
  if (value === undefined || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)) return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : ms;
};
