import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { podcauseInPod } from './in-pod.ts';
import type { Lab, LabNode } from './lab.ts';
import { namespaceNode } from './node/namespace-node.ts';
import { must, runCommand } from './run-command.ts';
import { binaryPath, NAMESPACE_NODES, type Paths } from './settings.ts';

/** The lab as scenarios see it; nodes of other kinds are handed in by name. */
export function openLab(paths: Paths, others: ReadonlyMap<string, LabNode> = new Map(), program = builtProgram(paths)): Lab {
  const nodes = new Map<string, LabNode>(others);
  for (const { name } of NAMESPACE_NODES) nodes.set(name, namespaceNode(paths, name));
  return {
    kubeconfig: paths.kubeconfig,
    kubectl: (args, options) => runCommand(binaryPath(paths, 'kubectl'), ['--kubeconfig', paths.kubeconfig, ...args], options),
    node: (name) => {
      const node = nodes.get(name);
      if (node === undefined) throw new Error(`the lab has no node ${name}`);
      return node;
    },
    podcause: (args, { inPod = false, ...options } = {}) => {
      if (!existsSync(program)) throw new Error('podcause is not built: npm run build');
      if (inPod) return podcauseInPod(paths, program, args, options);
      const env = { KUBECONFIG: paths.kubeconfig, NO_COLOR: '1' };
      return runCommand(process.execPath, [program, ...args], { ...options, env, cwd: tmpdir() });
    },
  };
}

export function builtProgram(paths: Paths): string {
  return join(paths.root, 'dist/cli/main.js');
}

/** A command line of the sources as they are now, in a folder of its own: `dist` may be older, or be renewed meanwhile. */
export async function buildProgram(paths: Paths, folder: string): Promise<string> {
  await must(process.execPath, [join(paths.root, 'scripts/build.mjs'), 'cli', folder], { cwd: paths.root });
  return join(folder, 'main.js');
}
