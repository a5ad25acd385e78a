/** The files of an index in the manner of locate. */
export interface LocateFiles {
  readonly database: string;
  /** What the index leaves out: updatedb.conf(5). */
  readonly rules: string;
}

/** Indexes that a nightly job makes, the better ones first. */
export const LOCATE_INDEXES: readonly {
  readonly name: 'plocate' | 'locate';
  readonly programs: readonly string[];
  readonly files: LocateFiles;
}[] = [
  { name: 'plocate', programs: ['plocate'], files: { database: '/var/lib/plocate/plocate.db', rules: '/etc/updatedb.conf' } },
  { name: 'locate', programs: ['mlocate', 'locate'], files: { database: '/var/lib/mlocate/mlocate.db', rules: '/etc/updatedb.conf' } },
];

/** What an index leaves out. */
export interface UpdateRules {
  readonly names: ReadonlySet<string>;
  readonly paths: readonly string[];
  /** Kinds of file systems, in small letters. */
  readonly fileSystems: ReadonlySet<string>;
}

/** Reads updatedb.conf: `NAME = "word word"`, comments behind `#`. */
export const readUpdateRules = (text: string): UpdateRules => {
  const values = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(/^[ \t]*([A-Z_]+)[ \t]*=[ \t]*"([^"\n]*)"/gm)) values.set(name, value);
  const words = (name: string): string[] => (values.get(name) ?? '').split(/\s+/).filter((word) => word !== '');
  return {
    names: new Set(words('PRUNENAMES')),
    paths: words('PRUNEPATHS').map((path) => path.replace(/(?<=.)\/+$/, '')),
    fileSystems: new Set(words('PRUNEFS').map((word) => word.toLowerCase())),
  };
};

/** The words to ask for every path below a root that holds a text in any case, each answer ended by NUL. */
export const locateWords = ({ database }: LocateFiles, root: string, text: string): string[] => [
  '-d',
  database,
  '-i',
  '-0',
  '--',
  `${quoted(root)}/*${quoted(text)}*`,
];

const quoted = (text: string): string => text.replaceAll(/[*?[\\]/g, '\\$&');
