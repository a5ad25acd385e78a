import { CancelledException } from '../../core/errors.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from './output.ts';

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Turns the first Ctrl-C into a wish to stop; the second one ends the process at once. With `onHangUp`, SIGHUP means that instead. */
export const watchForInterrupt = (err: Output, onHangUp?: () => void): Disposable & { readonly signal: AbortSignal } => {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    err.line('Stopping what runs; press Ctrl-C again to quit at once.');
    controller.abort(new CancelledException('The run was interrupted.'));
  };
  const listenerOf = (name: NodeJS.Signals) => (name === 'SIGHUP' && onHangUp !== undefined ? onHangUp : onSignal);
  for (const name of SIGNALS) process.on(name, listenerOf(name));
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of SIGNALS) process.off(name, listenerOf(name));
    },
  };
};
