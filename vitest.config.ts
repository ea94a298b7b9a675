import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'lab/**/*.test.ts'],
    setupFiles: ['test/fixed-seed.ts'],
    exclude: ['test/html/*.browser.test.ts', 'node_modules/**'],
    // A guard against what never ends: a busy machine is no failure.
    testTimeout: 120_000,
    pool: 'threads',
    isolate: false,
    // One less than there are is the default: half of a machine with two cores would be idle.
    maxWorkers: '100%',
  },
});
