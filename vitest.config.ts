import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['./test/support/own-directories.ts'],
    setupFiles: ['./test/support/own-temp-dir.ts'],
    reporters: ['default', './test/support/reporter.ts'],
    // A test that hangs is found all the same; one that shares the machine with others is not blamed for it.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts', 'src/**/*.generated.ts'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
});
