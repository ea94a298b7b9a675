import { TOOL_VERSION } from '../model/tool-version.ts';
import { enableCompileCache } from './compile-cache.ts';

enableCompileCache();

// The version is asked for by scripts and shells all day; it needs none of the rest.
if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  process.stdout.write(`podcause ${TOOL_VERSION}\n`);
} else {
  const { run } = await import('./run.ts');
  process.exitCode = await run(process.argv);
}
