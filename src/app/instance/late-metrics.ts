import type { RunObserver } from '../../core/ports.ts';
import type { Metrics, MetricsOptions } from '../../services/metrics/metrics.ts';

export interface LateMetricsParts extends MetricsOptions {
  observe(observer: RunObserver): () => void;
}

/** Figures that are counted from when somebody first asks for them. */
export const createLateMetrics = ({ observe, ...options }: LateMetricsParts): (() => Promise<Metrics>) => {
  let counting: Promise<Metrics> | undefined;
  const begin = async (): Promise<Metrics> => {
    const { createMetrics } = await import('../../services/metrics/metrics.ts');
    const made = createMetrics(options);
    observe(made.observer);
    return made;
  };
  return () => {
    counting ??= begin();
    return counting;
  };
};
