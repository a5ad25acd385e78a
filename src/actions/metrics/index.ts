// The figures of the house as an action. They are counted in services/metrics and reach actions through ctx.services.
import { defineAction, defineFamily } from '../../core/action.ts';
import * as shapes from '../../core/shapes.ts';

const metricsRender = defineAction({
  name: 'FA_metrics_render',
  summary: 'Gives the current metrics in the text format that Prometheus reads.',
  args: {},
  returns: shapes.text(),
  idempotent: true,
  examples: [{ args: {} }],
  run: ({ services }) => services.metrics.render(),
});

export const metrics = defineFamily({
  name: 'metrics',
  group: 'system',
  summary: 'What the house has counted: runs, commands, durations.',
  actions: [metricsRender],
});
