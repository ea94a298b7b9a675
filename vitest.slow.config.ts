import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/html/*.browser.test.ts', 'test/fuzz/*.slow.ts', 'test/fix/*.slow.ts'],
    setupFiles: ['test/fixed-seed.ts'],
    testTimeout: 20 * 60_000,
    hookTimeout: 60_000,
  },
});
