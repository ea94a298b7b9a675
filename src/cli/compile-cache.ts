import module from 'node:module';

/** Newer Node versions keep compiled code between runs; Node 20 has no such thing. */
export function enableCompileCache(): void {
  const { enableCompileCache: enable } = module as unknown as { enableCompileCache?: () => void };
  enable?.();
}
