import type { ProgressRegistry, Snapshot } from '../../core/progress.ts';
import { visible } from '../../lib/json/locate.ts';
import type { Cli } from '../cli.ts';
import { bytes, count, seconds } from './units.ts';

const REDRAW_MS = 100;
/** Short work is over before anybody could read a bar. */
const SHOWN_AFTER_MS = 300;
const MOST_BARS = 5;
const BAR_WIDTH = 20;

/** Draws one line per piece of work under way on standard error until disposed; leaves nothing behind. */
export const showProgress = ({ err, symbols }: Cli, registry: ProgressRegistry): Disposable => {
  const startedAt = performance.now();
  let drawnLines = 0;
  const erase = () => {
    if (drawnLines > 0) err.write(`\u001b[${drawnLines}A\u001b[J`);
    drawnLines = 0;
  };
  const draw = () => {
    const running = registry.list().filter(({ status }) => status === 'running');
    if (performance.now() - startedAt < SHOWN_AFTER_MS) return;
    erase();
    const lines = running.slice(0, MOST_BARS).map((entry) => progressLine(entry, symbols.bar));
    if (running.length > MOST_BARS) lines.push(`… and ${running.length - MOST_BARS} more`);
    for (const line of lines) err.line(err.colors.dim(line.slice(0, (process.stderr.columns ?? 80) - 1)));
    drawnLines = lines.length;
  };
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      erase();
    },
  };
};

/** `copying  ████░░░░  40 %  1.2 of 3.0 MB  800 kB/s  2 s left`. */
export const progressLine = (
  { name, transferred, total, unit, rate, eta_s: etaS }: Snapshot,
  [full, empty]: readonly [string, string],
): string => {
  const show = unit === 'bytes' ? bytes : count;
  const share = total === null || total === 0 ? undefined : Math.min(1, transferred / total);
  const done = Math.round((share ?? 0) * BAR_WIDTH);
  return [
    visible(name),
    ...(share === undefined ? [] : [full.repeat(done) + empty.repeat(BAR_WIDTH - done), `${Math.floor(share * 100)} %`]),
    total === null ? show(transferred) : `${show(transferred)} of ${show(total)}`,
    ...(rate > 0 ? [`${show(rate)}/s`] : []),
    ...(etaS === null ? [] : [`${seconds(etaS)} left`]),
  ].join('  ');
};
