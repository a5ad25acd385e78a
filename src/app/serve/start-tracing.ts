import type { Instance } from '../instance/instance.ts';

/** Makes spans from the start of a service, as `[server] tracing` says; warns where nobody takes them. */
export const startTracing = async ({ run, log }: Pick<Instance, 'run' | 'log'>): Promise<void> => {
  const { results } = await run([['FA_tracing_init']]);
  for (const { message } of results[0]?.notes ?? []) log('warn', message);
};
