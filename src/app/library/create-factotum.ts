import { createInstance } from '../create.ts';
import type { Factotum, FactotumOptions } from '../factotum.ts';
import { demandKnownOptions } from '../instance/known-options.ts';
import { callThrough } from './call.ts';

/** Builds an isolated instance. */
export const createFactotum = (options: FactotumOptions = {}): Factotum => {
  demandKnownOptions(options);
  const { registry, progress, observe, metrics, run, validate, close } = createInstance(options);
  return {
    registry,
    progress,
    observe,
    metrics: async () => ({ render: (await metrics()).render }),
    run: run as Factotum['run'], // a run has one entry for each command, with the value that its definition promises
    call: callThrough(() => run),
    validate,
    close,
    [Symbol.asyncDispose]: close,
  };
};
