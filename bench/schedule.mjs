// Graphs of 100,000 nodes: a chain, a fan and layers.
import { createFactotum } from '../dist/index.js';

const NODES = 100_000;
const shapes = {
  chain: (at) => (at === 0 ? [] : [`n${at - 1}`]),
  fan: (at) => (at === 0 ? [] : ['n0']),
  layers: (at) => (at < 100 ? [] : [`n${at - 100}`, `n${at - 100 + (((at % 100) + 1) % 100) - (at % 100)}`]),
};

export const run = async (report) => {
  const factotum = createFactotum({ log: { level: 'silent' } });
  factotum.registry.register('FA_bench_nothing', () => null);
  for (const [shape, dependencies] of Object.entries(shapes)) {
    const nodes = Array.from({ length: NODES }, (_, at) => ({ id: `n${at}`, action: ['FA_bench_nothing'], depends_on: dependencies(at) }));
    await factotum.run({ nodes: nodes.slice(0, 1000) });
    const started = performance.now();
    const result = await factotum.run({ nodes });
    if (result.counts.ok !== NODES) throw new Error(`${shape}: ${JSON.stringify(result.counts)}`);
    report({ name: `schedule/${shape}-100000-nodes`, ours: (performance.now() - started) / 1000, unit: 's', bar: 1 });
  }
};
