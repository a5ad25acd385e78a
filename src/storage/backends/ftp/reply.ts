/** One answer of a server: `250 Done`, or several lines from `250-` to `250 `. */
export interface Reply {
  readonly code: number;
  /** Without the codes. */
  readonly lines: readonly string[];
}

/** Reads answers out of what arrives; throws at the first byte that belongs to none. */
export interface ReplyReader {
  feed(bytes: Buffer): Reply[];
  /** Whether something has come that is no whole answer yet. */
  readonly isInside: boolean;
}

/** Longer than any server writes; whoever sends more sends no answers. */
const MAX_LINE = 8 * 1024;
const MAX_LINES = 1000;

export const createReplyReader = (): ReplyReader => {
  let rest = Buffer.alloc(0);
  let open: { readonly code: string; readonly lines: string[] } | undefined;

  const take = (line: string): Reply | undefined => {
    const [, code, mark, text = ''] = /^([1-5][0-9]{2})([ -])(.*)$/s.exec(line) ?? /^([1-5][0-9]{2})()()$/.exec(line) ?? [];
    if (open === undefined) {
      if (code === undefined) throw new Error(`no reply: ${JSON.stringify(line.slice(0, 80))}`);
      if (mark !== '-') return { code: Number(code), lines: [text] };
      open = { code, lines: [text] };
      return undefined;
    }
    const isLast = code === open.code && mark !== '-';
    // Servers repeat the code before inner lines, or do not.
    open.lines.push(isLast || (code === open.code && mark === '-') ? text : line);
    if (open.lines.length > MAX_LINES) throw new Error(`a reply of more than ${MAX_LINES} lines`);
    if (!isLast) return undefined;
    const { lines } = open;
    open = undefined;
    return { code: Number(code), lines };
  };

  return {
    get isInside() {
      return rest.length > 0 || open !== undefined;
    },
    feed(bytes) {
      const replies: Reply[] = [];
      let data = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10)) {
        if (end > MAX_LINE) throw new Error(`a line of more than ${MAX_LINE} bytes`);
        const reply = take(data.toString('utf8', 0, end > 0 && data[end - 1] === 13 ? end - 1 : end));
        if (reply !== undefined) replies.push(reply);
        data = data.subarray(end + 1);
      }
      if (data.length > MAX_LINE) throw new Error(`a line of more than ${MAX_LINE} bytes`);
      rest = Buffer.from(data);
      return replies;
    },
  };
};

/** The port of `229 Entering Extended Passive Mode (|||6446|)`. */
export const portOfEpsv = ({ lines }: Reply): number | undefined =>
  portOf(/\(([\x21-\x7e])\1\1([0-9]{1,5})\1\)/.exec(lines.join(' '))?.[2]);

/** The port of `227 Entering Passive Mode (h1,h2,h3,h4,p1,p2)`. The address in it is not looked at: a server could name any machine. */
export const portOfPasv = ({ lines }: Reply): number | undefined => {
  const found = /(?:^|[^0-9,])(?:[0-9]{1,3},){4}([0-9]{1,3}),([0-9]{1,3})(?![0-9,])/.exec(lines.join(' '));
  const [high, low] = [Number(found?.[1]), Number(found?.[2])];
  return high < 256 && low < 256 ? portOf(String(high * 256 + low)) : undefined;
};

const portOf = (text: string | undefined): number | undefined => {
  const port = Number(text);
  return text !== undefined && port >= 1 && port <= 65_535 ? port : undefined;
};

/** Every text that a server sent, in bounds. */
export const saidIn = ({ lines }: Reply): string =>
  lines
    .join(' ')
    .replace(/[\u0000-\u001f\u007f]/g, ' ')
    .trim()
    .slice(0, 200);
