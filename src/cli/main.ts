import { TOOL_VERSION } from '../model/tool-version.ts';
import { enableCompileCache } from './compile-cache.ts';

enableCompileCache();

// The version is asked for by scripts and shells all day; it needs none of the rest.
if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  process.stdout.write(`podcause ${TOOL_VERSION}\n`);
} else {
  import('./run.ts')
    .then(({ run }) => run(process.argv))
    .then((code) => {
      process.exitCode = code;
    })
    .catch((error: unknown) => {
      process.stderr.write(`podcause: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      process.exitCode = 3;
    });
}
