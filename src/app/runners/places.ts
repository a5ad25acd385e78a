import { readFileSync } from 'node:fs';

/** What of the file systems may hang together: paths with the same answer count as one place. */
export type PlaceOf = (path: string) => string;

export interface PlacesOptions {
  /** Where the house itself keeps its files: were that device gone, nothing would work at all. */
  readonly own: string;
  readMounts?(): string;
  now?(): number;
}

/** Mounts come and go; asking for them costs little and touches no device. */
const KNOWN_MS = 5_000;

/**
 * The mount of a path, judged by its letters alone: to look at a path could hang. On the device of the house itself directories are told
 * apart, because only a link can hang there, which leads to another device.
 */
export const createPlaces = ({ own, readMounts = fromSystem, now = () => performance.now() }: PlacesOptions): PlaceOf => {
  let mounts: readonly string[] = [];
  let askedMs = Number.NEGATIVE_INFINITY;
  const mountOf = (path: string): string => mounts.find((mount) => isBelow(path, mount)) ?? '/';
  return (path) => {
    if (now() - askedMs > KNOWN_MS) {
      mounts = mountsIn(readMounts());
      askedMs = now();
    }
    const mount = mountOf(path);
    return mount === mountOf(own) ? path.slice(0, Math.max(1, path.lastIndexOf('/'))) : mount;
  };
};

const isBelow = (path: string, mount: string): boolean => mount === '/' || path === mount || path.startsWith(`${mount}/`);

/** The fifth field is where it is mounted; blanks and the like are written as octal numbers. The longest come first. */
const mountsIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((mount) => mount !== '')
    .map((mount) => mount.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8))))
    .sort((one, other) => other.length - one.length);

/** Where the system does not tell, everything is one mount. */
const fromSystem = (): string => {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
};
