import type { LabNode, Ran, RunOptions } from '../lab.ts';
import { runCommand } from '../run-command.ts';
import type { Paths } from '../settings.ts';
import { nodeProcess } from './start.ts';

const ENVIRONMENT = ['-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'LANG=C.UTF-8', 'TERM=dumb'];

/** Arguments of nsenter up to the command. */
export function enterArguments(pid: number): readonly string[] {
  return ['-t', String(pid), '--mount', '--uts', '--ipc', '--net', '--pid', '--cgroup', '/usr/bin/env', ...ENVIRONMENT];
}

export function namespaceNode(paths: Paths, name: string): LabNode {
  const enter = (): readonly string[] => {
    const known = nodeProcess(paths, name);
    if (known === undefined) throw new Error(`${name} is not up: npm run lab -- up`);
    return enterArguments(known.pid);
  };
  const exec = (command: string, options: RunOptions = {}): Promise<Ran> =>
    runCommand('nsenter', [...enter(), '/bin/sh', '-c', command], options);
  return {
    name,
    kind: 'namespace',
    exec,
    writeFile: async (path, text) => {
      const ran = await exec(`mkdir -p "$(dirname '${path}')" && cat > '${path}'`, { input: text });
      if (ran.code !== 0) throw new Error(`${name}: ${path} could not be written: ${ran.stderr.trim()}`);
    },
    readFile: async (path) => {
      const ran = await exec(`cat '${path}'`);
      if (ran.code !== 0) throw new Error(`${name}: ${path} could not be read: ${ran.stderr.trim()}`);
      return ran.stdout;
    },
  };
}

/** The archive stays outside the node and goes in through the standard input. */
export async function importImage(paths: Paths, node: string, archive: string): Promise<Ran> {
  const known = nodeProcess(paths, node);
  if (known === undefined) throw new Error(`${node} is not up`);
  const script = 'archive=$1; shift; exec nsenter "$@" < "$archive"';
  const args = ['-c', script, 'sh', archive, ...enterArguments(known.pid), 'ctr', '-n', 'k8s.io', 'images', 'import', '-'];
  return runCommand('sh', args);
}
