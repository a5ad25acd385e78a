// Programs of this machine. How one is started and ended is lib/process/; who may start one, and with which environment, is
// decided in pipeline/command/program.ts. Read run-shell.ts first.
import { defineFamily } from '../../core/action.ts';
import { runShell } from './run-shell.ts';

export const shell = defineFamily({
  name: 'shell',
  group: 'shell',
  summary: 'Programs of this machine, run without a shell.',
  actions: [runShell],
});
