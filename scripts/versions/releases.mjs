// Which releases of Node stand for all those that package.json admits.

/** Where something changed: the oldest that is admitted, the first with a SQLite of their own, the first with a complete one. */
const EDGES = ['20.15.0', '22.13.0', '22.16.0', '24.0.0'];
const DAY_MS = 86_400_000;

const numbers = (version) => version.split('.').map(Number);
const compare = (one, other) => {
  const [a, b] = [numbers(one), numbers(other)];
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
};

/** The edges, and of each line the first, a middle and the last release among those that can be had. */
export const releasesToTry = (available) => {
  const admitted = available.filter((version) => /^\d+\.\d+\.\d+$/.test(version) && compare(version, EDGES[0]) >= 0).sort(compare);
  const lines = grouped(admitted);
  const ofLines = [...lines.values()].flatMap((line) => [line[0], line[line.length >> 1], line[line.length - 1]]);
  return [...new Set([...EDGES, ...ofLines])].sort(compare);
};

const grouped = (versions) => {
  const lines = new Map();
  for (const version of versions) {
    const [line] = numbers(version);
    lines.set(line, [...(lines.get(line) ?? []), version]);
  }
  return lines;
};

/** One a day, so that all have their turn within some weeks and no day waits for all. */
export const ofToday = (versions, nowMs) => versions[Math.floor(nowMs / DAY_MS) % versions.length];
