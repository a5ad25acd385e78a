import type { CliCommand } from './cli.ts';

/** A command as the help lists it; its code is loaded only when it was asked for. */
interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<CliCommand>;
}

/** Every command. Adding one is a line here and a file in `commands/`. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'run',
    summary: 'Run a list of actions from a file or standard input.',
    load: async () => (await import('./commands/run.ts')).run,
  },
  { name: 'exec', summary: 'Run one action, with its arguments as options.', load: async () => (await import('./commands/exec.ts')).exec },
  { name: 'validate', summary: 'Check a list without running it.', load: async () => (await import('./commands/validate.ts')).validate },
  { name: 'actions', summary: 'List, search and explain actions.', load: async () => (await import('./commands/actions.ts')).actions },
  { name: 'serve', summary: 'Take lists over HTTP, TCP and MCP.', load: async () => (await import('./commands/serve.ts')).serve },
  {
    name: 'http-server',
    summary: 'Take lists over HTTP only.',
    load: async () => (await import('./commands/serve.ts')).httpServer,
  },
  { name: 'server', summary: 'Take lists over TCP only.', load: async () => (await import('./commands/serve.ts')).tcpServer },
  { name: 'metrics', summary: 'Serve metrics only.', load: async () => (await import('./commands/serve.ts')).metricsServer },
  { name: 'mcp', summary: 'Offer actions as tools to an assistant (MCP).', load: async () => (await import('./commands/mcp.ts')).mcp },
  { name: 'runs', summary: 'List, show, resume, cancel or undo runs.', load: async () => (await import('./commands/runs.ts')).runs },
  { name: 'undo', summary: 'Take back what a run changed.', load: async () => (await import('./commands/undo.ts')).undo },
  {
    name: 'queue',
    summary: 'List what waits or was given up, try that again, judge what a crash left open.',
    load: async () => (await import('./commands/queue.ts')).queue,
  },
  { name: 'approve', summary: 'Say yes to a plan that waits for it.', load: async () => (await import('./commands/approve.ts')).approve },
  {
    name: 'config',
    summary: 'Check or show the configuration, or print its schema.',
    load: async () => (await import('./commands/config.ts')).config,
  },
  {
    name: 'secrets',
    summary: 'Try the secret references of the configuration.',
    load: async () => (await import('./commands/secrets.ts')).secrets,
  },
  {
    name: 'connections',
    summary: 'List the connections of the configuration, or test one.',
    load: async () => (await import('./commands/connections.ts')).connections,
  },
  {
    name: 'schedule',
    summary: 'List, pause and resume jobs, and tell their next times.',
    load: async () => (await import('./commands/schedule.ts')).schedule,
  },
  {
    name: 'watch',
    summary: 'List watchers, or test whether changes of a directory are told.',
    load: async () => (await import('./commands/watch.ts')).watch,
  },
  { name: 'init', summary: 'Write a small example project to start from.', load: async () => (await import('./commands/init.ts')).init },
  { name: 'doctor', summary: 'Check what this machine offers and lacks.', load: async () => (await import('./commands/doctor.ts')).doctor },
  {
    name: 'completion',
    summary: 'Print the completion script for your shell.',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
];
