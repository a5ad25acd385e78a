import { faultOfPath } from '../../../lib/location/storage-path.ts';

/** How paths of the storage are written in URLs of the server, and read from its answers. */
export interface Hrefs {
  /** Path and query of a request; a directory ends with a slash. */
  write(path: string, kind?: 'dir'): string;
  /** What an answer calls something, as a path; undefined for what is no name below the base. `from` is where it was asked. */
  read(href: string): string | undefined;
}

/** `base` is the address of the top directory. */
export const createHrefs = (base: URL): Hrefs => {
  const top = namesOf(base.pathname) ?? [];
  const prefix = top.map((name) => `/${encodeURIComponent(name)}`).join('');
  return {
    write(path, kind) {
      const names = path === '' ? [] : path.split('/');
      const written = `${prefix}${names.map((name) => `/${encodeURIComponent(name)}`).join('')}`;
      return kind === 'dir' || path === '' ? `${written}/` : written;
    },
    read(href) {
      const written = pathOf(href.trim(), base);
      const names = written === undefined ? undefined : namesOf(written);
      if (names === undefined || top.some((name, at) => names[at] !== name)) return undefined;
      const path = names.slice(top.length).join('/');
      return names.some((name) => name.includes('/')) || faultOfPath(path) !== undefined ? undefined : path;
    },
  };
};

/** The path in an address of this very machine, whatever scheme its front writes; undefined for another machine. */
const pathOf = (href: string, base: URL): string | undefined => {
  if (/[?#]/.test(href)) return undefined;
  if (href.startsWith('/') && !href.startsWith('//')) return href;
  const [, host, path = '/'] = /^(?:https?:)?\/\/([^/]*)(\/.*)?$/is.exec(href) ?? [];
  if (host === undefined || !URL.canParse(`http://${host}/`)) return undefined;
  const url = new URL(`http://${host}/`);
  return url.hostname === base.hostname && url.username === '' ? path : undefined;
};

/** The names of a path, decoded; undefined where they are no text. */
const namesOf = (path: string): string[] | undefined => {
  try {
    return path
      .split('/')
      .filter((name) => name !== '')
      .map(decode);
  } catch {
    return undefined;
  }
};

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A percent sign that begins no number stands for itself: not every server encodes it. */
const decode = (name: string): string =>
  name.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (run) => UTF8.decode(Buffer.from(run.replaceAll('%', ''), 'hex')));
