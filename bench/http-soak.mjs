// Five minutes of full load on the HTTP door: what the process holds in memory must not grow.
import { load, startOurs } from './load/servers.mjs';
import { median } from './measure/pairs.mjs';

const LIST = '[["FA_is_within",{"root":"/tmp","user_path":"/tmp/a"}]]';
const SECONDS = Number(process.env.FACTOTUM_SOAK_S ?? 300);
const LOAD = { connections: 64, seconds: SECONDS, body: LIST };

export const run = async (report) => {
  const ours = await startOurs();
  const samples = [];
  const sampling = setInterval(() => samples.push(ours.memory()), 1_000);
  const { perSecond } = await load(`${ours.url}/actions`, LOAD);
  clearInterval(sampling);
  await ours.stop();
  // The first fifth warms up; after that the last fifth is compared with the one after the warm-up.
  const fifth = Math.max(1, Math.floor(samples.length / 5));
  const [early, late] = [samples.slice(fifth, 2 * fifth), samples.slice(-fifth)].map(median);
  report({ name: 'http-soak/requests', ours: perSecond, unit: '/s' });
  report({ name: 'http-soak/memory-late-to-early', ours: late, peer: early, unit: 'MB', bar: 1.15 });
};
