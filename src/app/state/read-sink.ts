import { ConfigException } from '../../core/errors.ts';
import type { SinkTable } from '../../core/ports/notify.ts';

/** A sink as `[[notify.sinks]]` writes it, checked and with its defaults; throws `ConfigException`. The schema is loaded when first needed. */
export const readSink = async (table: unknown): Promise<SinkTable> => {
  const { parseConfig } = await import('../../services/config/parse.ts');
  const tree = { notify: { sinks: [table] } };
  const { config, issues } = parseConfig(tree);
  const sink = config?.notify.sinks[0];
  if (sink !== undefined) return sink;
  const { explain } = await import('../../services/config/explain.ts');
  const faults = explain(issues, tree).map(({ words }) => words.replaceAll('notify.sinks[0]', 'sink'));
  throw new ConfigException(`The sink cannot be used: ${faults.join(' ')}`, { context: { faults } });
};
