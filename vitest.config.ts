import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { SHARES_PROCESS } from './test/support/own-directories.ts';
import { filesThatShare } from './test/support/own-process.ts';

const PROPERTIES = fileURLToPath(new URL('./test/support/properties.ts', import.meta.url));
/** Tests that ask for fast-check get it with fewer runs each time. */
const properties = {
  name: 'properties',
  enforce: 'pre',
  resolveId: (id: string, importer: string | undefined) => (id === 'fast-check' && importer !== PROPERTIES ? PROPERTIES : undefined),
} as const;

/** What runs inside the process of its test; what starts other processes has enough of them. */
const INSIDE = ['src', 'test/laws', 'test/pins'];
const shared = INSIDE.flatMap(filesThatShare);
const everywhere = {
  pool: 'forks',
  setupFiles: ['./test/support/own-temp-dir.ts'],
  // A test that hangs is found all the same; one that shares the machine with others is not blamed for it.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
} as const;

export default defineConfig({
  test: {
    // Now and then a test waits; another one has the processor then.
    maxWorkers: availableParallelism() + 1,
    // The second Node, and whoever runs tests again, need not transform what has not changed.
    experimental: { fsModuleCache: true },
    globalSetup: ['./test/support/own-directories.ts'],
    reporters: ['default', './test/support/reporter.ts'],
    projects: [
      {
        plugins: [properties],
        test: {
          ...everywhere,
          name: 'alone',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: shared,
          env: { [SHARES_PROCESS]: 'no' },
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins: [properties],
        test: {
          ...everywhere,
          name: 'in turn',
          include: shared,
          isolate: false,
          env: { [SHARES_PROCESS]: 'yes' },
          sequence: { groupOrder: 1 },
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts', 'src/**/*.generated.ts'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
});
