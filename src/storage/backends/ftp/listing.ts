/** An entry of a directory as a server lists it. */
export interface ListedEntry {
  readonly name: string;
  readonly kind: 'file' | 'dir' | 'link';
  readonly bytes: number;
  readonly modifiedMs?: number;
  /** The same for the same directory, wherever it is seen. */
  readonly unique?: string;
}

/** Reads a line of MLSD or MLST, `type=file;size=3;modify=20200203040506; name`; undefined for the directory itself and for what is neither. */
export const readFacts = (line: string): ListedEntry | undefined => {
  const space = line.indexOf(' ');
  if (space < 0) throw unreadable(line);
  const facts = new Map(
    line
      .slice(0, space)
      .split(';')
      .filter((fact) => fact !== '')
      .map((fact) => {
        const at = fact.indexOf('=');
        if (at < 1) throw unreadable(line);
        return [fact.slice(0, at).toLowerCase(), fact.slice(at + 1)] as const;
      }),
  );
  const kind = kindOf(facts.get('type') ?? '');
  if (kind === undefined) return undefined;
  const modifiedMs = readTime(facts.get('modify') ?? '');
  const unique = facts.get('unique');
  return {
    name: line.slice(space + 1),
    kind,
    bytes: kind === 'file' ? lengthOf(facts.get('size') ?? '0', line) : 0,
    ...(modifiedMs !== undefined && { modifiedMs }),
    ...(unique !== undefined && { unique }),
  };
};

const kindOf = (type: string): ListedEntry['kind'] | undefined => {
  const lower = type.toLowerCase();
  if (lower === 'file' || lower === 'dir') return lower;
  return /^os\.unix=(?:slink|symlink)/.test(lower) ? 'link' : undefined;
};

/** `20200203040506` or with a fraction, always in universal time. */
export const readTime = (text: string): number | undefined => {
  const [, year, month, day, hour, minute, second, fraction = ''] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return Number.isNaN(time) ? undefined : time + Math.floor(Number(`0.${fraction || '0'}`) * 1000);
};

/** The other way round, in whole seconds. */
export const writeTime = (ms: number): string => new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14);

const UNIX =
  /^([-dlbcps])[-rwxsStTl]{9}[+.@]? +(?:\d+ +)?\S+ +(?:\S+ +)?(\d+) +(?:[A-Z][a-z]{2} +\d{1,2} +(?:\d\d:\d\d|\d{4})|\d{4}-\d\d-\d\d +\d\d:\d\d(?::\d\d)?) (.+)$/;
const DOS = /^\d\d-\d\d-\d\d(?:\d\d)? +\d\d:\d\d(?:[AaPp][Mm])? +(<DIR>|<JUNCTION>|<SYMLINKD?>|\d+) +(\S.*)$/;
const EPLF = /^\+([^\t]*)\t(.+)$/;
const VMS = /^[^ ]+;\d+(?: |$)/;

/**
 * Reads a line of LIST, which every system writes as it likes: Unix, DOS, EPLF. Its times are left out: they have no year or no time of the
 * day, and nobody knows in which zone. Undefined for what is no entry.
 */
export const readListLine = (line: string): ListedEntry | undefined => {
  if (line === '' || /^total \d+$/i.test(line)) return undefined;
  const [, mark, size, unixName] = UNIX.exec(line) ?? [];
  if (mark !== undefined && unixName !== undefined) {
    if (mark === 'l') return { name: unixName.split(' -> ')[0] ?? unixName, kind: 'link', bytes: 0 };
    if (mark !== '-' && mark !== 'd') return undefined;
    return { name: unixName, kind: mark === 'd' ? 'dir' : 'file', bytes: mark === 'd' ? 0 : lengthOf(size ?? '', line) };
  }
  const [, what, dosName] = DOS.exec(line) ?? [];
  if (what !== undefined && dosName !== undefined) {
    if (what === '<DIR>') return { name: dosName, kind: 'dir', bytes: 0 };
    return what.startsWith('<') ? { name: dosName, kind: 'link', bytes: 0 } : { name: dosName, kind: 'file', bytes: lengthOf(what, line) };
  }
  const [, facts, eplfName] = EPLF.exec(line) ?? [];
  if (facts !== undefined && eplfName !== undefined) return eplf(facts.split(','), eplfName, line);
  if (VMS.test(line)) throw listingFault('it is that of a VMS system, which is not supported', 'unsupported');
  throw unreadable(line);
};

const eplf = (facts: readonly string[], name: string, line: string): ListedEntry | undefined => {
  if (facts.includes('/')) return { name, kind: 'dir', bytes: 0 };
  if (!facts.includes('r')) return undefined;
  const seconds = Number(facts.find((fact) => /^m\d{1,12}$/.test(fact))?.slice(1) ?? Number.NaN);
  return {
    name,
    kind: 'file',
    bytes: lengthOf(facts.find((fact) => fact.startsWith('s'))?.slice(1) ?? '0', line),
    ...(!Number.isNaN(seconds) && { modifiedMs: seconds * 1000 }),
  };
};

/** A list that cannot be read; translated by whoever asked for it. */
const listingFault = (message: string, listingCode: 'broken' | 'unsupported'): Error => Object.assign(new Error(message), { listingCode });

/** Why a list cannot be read; undefined for any other fault. */
export const listingCodeOf = (fault: unknown): 'broken' | 'unsupported' | undefined =>
  fault instanceof Error && 'listingCode' in fault ? (fault.listingCode === 'unsupported' ? 'unsupported' : 'broken') : undefined;

const unreadable = (line: string): Error =>
  listingFault(`it has a line that cannot be read, ${JSON.stringify(line.slice(0, 120))}`, 'broken');

const lengthOf = (text: string, line: string): number => {
  const bytes = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(bytes)) throw unreadable(line);
  return bytes;
};
