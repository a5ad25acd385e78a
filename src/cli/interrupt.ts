import { CancelledException } from '../core/errors.ts';
import { EXIT } from './exit-code.ts';
import type { Output } from './output.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Turns the first Ctrl-C into a wish to stop; the second one ends the process at once. */
export const watchForInterrupt = (err: Output): Disposable & { readonly signal: AbortSignal } => {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    err.line('Stopping what runs; press Ctrl-C again to quit at once.');
    controller.abort(new CancelledException('The run was interrupted.'));
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
};
