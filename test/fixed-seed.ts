import fc from 'fast-check';

/**
 * Properties are tried on the same values in every run, so that a failure is the fault of the change at hand.
 * Hunt with others by `PODCAUSE_TEST_SEED=7 npm run unit`, and write down what is found as a test of its own.
 */
fc.configureGlobal({ seed: Number(process.env['PODCAUSE_TEST_SEED'] ?? 1) });
