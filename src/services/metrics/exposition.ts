import type { Metric } from 'prom-client';
import type { MetricsText } from '../../core/ports.ts';
import type { Series } from './series.ts';

/** Writes series, and figures of this process, as text. The library behind it is loaded when somebody first asks. */
export const createExposition = (all: readonly Series[]): MetricsText => {
  let loading: ReturnType<typeof load> | undefined;
  return {
    async render() {
      loading ??= load(all);
      return (await loading).metrics();
    },
  };
};

/** Gauges with the ending of counters, which collectors warn of; each is the sum of one that is parted by type. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

const load = async (all: readonly Series[]) => {
  const { Registry, collectDefaultMetrics } = await import('prom-client');
  const register = new Registry();
  for (const series of all) register.registerMetric(readable(series));
  collectDefaultMetrics({ register });
  for (const name of MISNAMED) register.removeSingleMetric(name);
  return register;
};

/** A metric whose figures are ours: the library's own ones cost microseconds each time something is counted. */
const readable = ({ name, help, type, samples }: Series): Metric => {
  const values = () => samples().map((sample) => ({ metricName: sample.name ?? name, labels: sample.labels, value: sample.value }));
  const metric = { name, help, type, get: async () => ({ name, help, type, values: values(), aggregator: 'sum' }) };
  return metric as unknown as Metric; // a registry asks its metrics for nothing but their name and `get`
};
