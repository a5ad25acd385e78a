// How the cost of work grows with its size: the slope of time over size, both as logarithms. 1 is linear, 2 is quadratic.

/** Work that takes this long is felt by whoever waits for it. */
const HURTS_MS = 1_000;
const TRIES = 3;

/** The exponent over all sizes, and the first size that hurts: one that was measured, or where the line leads to. */
export const growthOf = (points) => {
  const logs = points.map(({ size, ms }) => [Math.log(size), Math.log(Math.max(ms, 0.1))]);
  const mean = (at) => logs.reduce((sum, log) => sum + log[at], 0) / logs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const exponent = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const measured = points.find(({ ms }) => ms >= HURTS_MS);
  const last = points.at(-1);
  const hurtsAt = measured?.size ?? last.size * (HURTS_MS / Math.max(last.ms, 0.1)) ** (1 / Math.max(exponent, 0.5));
  return { exponent, hurtsAt };
};

/** The least processor time of several tries, in milliseconds: collecting garbage and compiling only ever add. */
export const leastCpu = async (work, cpuMs = ownCpuMs) => {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const ready = await work(tries);
    const started = cpuMs();
    await ready();
    least = Math.min(least, cpuMs() - started);
  }
  return least;
};

const ownCpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
