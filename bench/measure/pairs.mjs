// Our work and a peer's, measured in turns: whoever is first changes, and the ratios of the pairs count, not the sums.
import { spawnSync } from 'node:child_process';

/** How many pairs count; one more goes before them. */
export const ROUNDS = 5;

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Wall and CPU milliseconds of work in this process, all threads counted. */
export const measureHere = (work) => async () => {
  const before = process.cpuUsage();
  const started = performance.now();
  await work();
  const wall = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1000 };
};

/** Wall and CPU milliseconds of a whole program; what it prints goes to a file. */
export const measureProgram = (argv, output) => () => {
  const script = `TIMEFORMAT='%3R %3U %3S'; time "$@" > "$OUTPUT"`;
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env; // makes every start of Node slower
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...argv], { env: { ...env, OUTPUT: output }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${stderr}`);
  const [wall, user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { wall: wall * 1000, cpu: (user + system) * 1000 };
};

/** Medians of both sides and of the ratios of pairs, after one round that does not count. */
export const inPairs = async (ours, peer) => {
  const pairs = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const isOursFirst = round % 2 === 0;
    const first = await (isOursFirst ? ours : peer)();
    const second = await (isOursFirst ? peer : ours)();
    if (round > 0) pairs.push(isOursFirst ? { ours: first, peer: second } : { ours: second, peer: first });
  }
  const of = (side, kind) => median(pairs.map((pair) => pair[side][kind]));
  const ratio = (kind) => median(pairs.map((pair) => pair.ours[kind] / pair.peer[kind]));
  return {
    wall: { ours: of('ours', 'wall'), peer: of('peer', 'wall'), value: ratio('wall') },
    cpu: { ours: of('ours', 'cpu'), peer: of('peer', 'cpu'), value: ratio('cpu') },
  };
};

/** Reports wall against its bar, and CPU for information. */
export const reportPairs = (report, name, bar, { wall, cpu }) => {
  report({ name, ...wall, unit: 'ms', bar });
  report({ name: `${name}/cpu`, ...cpu, unit: 'ms' });
};

/** The first of several names under which a program is installed. */
export const demandProgram = (...names) => {
  const found = names.find((name) => spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0);
  if (found === undefined) throw new Error(`${names.join(' or ')} is needed to compare with; install it`);
  return found;
};
