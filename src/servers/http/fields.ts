/** The headers that decide something at this door, read in one pass: Node's own table of all headers costs as much as to run a short list. */
export class Fields {
  host: string | undefined = undefined;
  origin: string | undefined = undefined;
  fetchSite: string | undefined = undefined;
  authorization: string | undefined = undefined;
  contentType: string | undefined = undefined;
  contentEncoding: string | undefined = undefined;
  contentLength: string | undefined = undefined;
  expect: string | undefined = undefined;
  requestId: string | undefined = undefined;
  idempotencyKey: string | undefined = undefined;
  cancelOnDisconnect: string | undefined = undefined;
  /** Of those above that may come only once, one that came twice: it would mean whatever the reader likes. */
  doubled: string | undefined = undefined;

  /** Names and values in turn, every repetition kept. */
  constructor(rawHeaders: readonly string[]) {
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) this.#read((rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '');
  }

  #read(name: string, value: string): void {
    switch (name) {
      case 'host':
        this.host = this.#once(name, this.host, value);
        break;
      case 'origin':
        this.origin = this.#once(name, this.origin, value);
        break;
      case 'sec-fetch-site':
        this.fetchSite = this.#once(name, this.fetchSite, value);
        break;
      case 'authorization':
        this.authorization = this.#once(name, this.authorization, value);
        break;
      case 'content-type':
        this.contentType = this.#once(name, this.contentType, value);
        break;
      case 'content-encoding':
        this.contentEncoding = this.#once(name, this.contentEncoding, value);
        break;
      case 'content-length': // Node's parser refuses a second one
        this.contentLength = value;
        break;
      case 'expect':
        this.expect = joined(this.expect, value);
        break;
      case 'x-request-id':
        this.requestId = joined(this.requestId, value);
        break;
      case 'idempotency-key':
        this.idempotencyKey = joined(this.idempotencyKey, value);
        break;
      case 'x-cancel-on-disconnect':
        this.cancelOnDisconnect = joined(this.cancelOnDisconnect, value);
        break;
      default:
    }
  }

  #once(name: string, before: string | undefined, value: string): string {
    if (before !== undefined) this.doubled ??= name;
    return value;
  }
}

/** What HTTP says of a header that came twice. */
const joined = (before: string | undefined, value: string): string => (before === undefined ? value : `${before}, ${value}`);
