// npm run bench -- NAME… [--json]: runs bench/NAME.mjs and prints one line per figure.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

const args = process.argv.slice(2);
const asJson = args.includes('--json');
const all = readdirSync(new URL('.', import.meta.url))
  .flatMap((file) => (file.endsWith('.mjs') && file !== 'run.mjs' ? [file.slice(0, -4)] : []))
  .sort();
const names = args.filter((arg) => !arg.startsWith('--'));
const unknown = names.filter((name) => !all.includes(name));
if (names.length === 0 || unknown.length > 0) {
  console.error(
    `${unknown.length > 0 ? `unknown bench ${unknown.join(', ')}; ` : ''}usage: npm run bench -- NAME… [--json], where NAME is one of ${all.join(', ')}`,
  );
  process.exit(2);
}
if (!existsSync(new URL('../dist/index.js', import.meta.url)))
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
if (loadavg()[0] > cpus().length) console.error(`warning: the machine is busy (load ${loadavg()[0].toFixed(1)}), figures are void`);

const round = (value) => (value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
let missed = 0;

/** One figure: `better: 'lower'` compares ours / peer with the bar from below, `'higher'` from above. */
const report = ({ name, ours, peer, unit = '', bar, better = 'lower', value = peer === undefined ? ours : ours / peer }) => {
  const passed = bar === undefined || (better === 'lower' ? value <= bar : value >= bar);
  if (!passed) missed += 1;
  const figure = {
    name,
    ours: round(ours),
    ...(peer !== undefined && { peer: round(peer) }),
    unit,
    ratio: round(value),
    bar,
    verdict: passed ? 'PASS' : 'MISS',
  };
  if (asJson) console.log(JSON.stringify(figure));
  else
    console.log(
      `bench ${name} ours=${figure.ours}${unit} peer=${figure.peer ?? '-'}${peer === undefined ? '' : unit} ratio=${figure.ratio} bar=${bar ?? '-'} ${figure.verdict}`,
    );
};

for (const name of names) await (await import(`./${name}.mjs`)).run(report);
process.exitCode = missed > 0 ? 1 : 0;
