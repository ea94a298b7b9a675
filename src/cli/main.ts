import { TOOL_VERSION } from '../model/tool-version.ts';
import { enableCompileCache } from './compile-cache.ts';
import { wordError } from './errors.ts';
import { guardStreams } from './output.ts';

enableCompileCache();
guardStreams();

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
      process.stderr.write(`${wordError(error, process.argv.includes('--debug'))}\n`);
      process.exitCode = 3;
    });
}
