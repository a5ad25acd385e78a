import type { SmbFaults } from '../faults.ts';

/** Names have 255 units of UTF-16 at most, paths as many as 16 bits of bytes can tell. */
const MAX_NAME = 255;
const MAX_PATH = 32_000;
/** Devices of DOS: Windows opens them instead of a file, and samba shows such files under another name. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;
const FORBIDDEN = /[\u0000-\u001f"*/:<>?\\|]/;

/** Why SMB cannot carry a name; undefined where it can. Servers would change such names, or take them for something else. */
export const faultOfName = (name: string): string | undefined => {
  const found = FORBIDDEN.exec(name)?.[0];
  if (found !== undefined)
    return found < ' ' ? 'it holds a control character' : `it holds ${found === '"' ? "'\"'" : JSON.stringify(found)}`;
  if (/\p{Surrogate}/u.test(name)) return 'it holds half of a surrogate pair';
  if (name === '' || name.endsWith('.') || name.endsWith(' ')) return 'a name ends with a dot or a space';
  if (DEVICE.test(name)) return 'a name is that of a device';
  return name.length > MAX_NAME ? `a name has more than ${MAX_NAME} characters` : undefined;
};

/** A path as it goes over the wire; refused before anything is sent where it cannot. */
export const smbName = (path: string, faults: SmbFaults): string => {
  if (path === '') return '';
  const why = path
    .split('/')
    .map(faultOfName)
    .find((fault) => fault !== undefined);
  if (why !== undefined) throw faults.badName(path, why);
  if (path.length > MAX_PATH) throw faults.badName(path, `the path has more than ${MAX_PATH} characters`);
  return path.replaceAll('/', '\\');
};

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** What stands beside something. */
export const beside = (path: string, name: string): string => `${path.slice(0, path.length - nameOf(path).length)}${name}`;

export const inside = (directory: string, name: string): string => (directory === '' ? name : `${directory}/${name}`);
