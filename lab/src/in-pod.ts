import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Ran, RunOptions } from './lab.ts';
import { must, runCommand } from './run-command.ts';
import { binaryPath, type Paths } from './settings.ts';

const TIER = 'app.kubernetes.io/component=cluster-reader';
const NAMESPACE = 'podcause';
const POD = 'podcause';

/** As a user would run it in a cluster: the account of deploy/rbac.yaml, its token where the kubelet puts it, no kubeconfig. */
const MANIFEST = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: POD, namespace: NAMESPACE },
  spec: {
    serviceAccountName: 'podcause-cluster-reader',
    nodeName: 'worker-b',
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: POD,
        image: 'lab.local/busybox:1',
        command: ['sleep', '600'],
        volumeMounts: [{ name: 'program', mountPath: '/program' }],
      },
    ],
    volumes: [{ name: 'program', emptyDir: {} }],
  },
});

/** Runs the command line inside a pod, which is made for it and removed with its rights. */
export async function podcauseInPod(paths: Paths, program: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const kubectl = [binaryPath(paths, 'kubectl'), '--kubeconfig', paths.kubeconfig] as const;
  const [command, ...flags] = kubectl;
  const call = (words: readonly string[], input?: string) =>
    must(command, [...flags, ...words], { timeoutSeconds: 90, ...(input === undefined ? {} : { input }) });
  const rights = ['-f', join(paths.root, 'deploy/rbac.yaml'), '-l', TIER];
  try {
    await call(['apply', ...rights]);
    await call(['apply', '-f', '-'], MANIFEST);
    await call(['wait', '-n', NAMESPACE, `pod/${POD}`, '--for=condition=Ready', '--timeout=80s']);
    const loader = await bring(kubectl, program);
    const inside = [`/program/${loader}`, '--library-path', '/program', '/program/node', `/program/cli/${basename(program)}`, ...args];
    return await runCommand(command, [...flags, 'exec', '-i', '-n', NAMESPACE, POD, '--', ...inside], options);
  } finally {
    await runCommand(command, [...flags, 'delete', ...rights, '--ignore-not-found', '--timeout=60s'], { timeoutSeconds: 90 });
  }
}

/** The image holds no Node: this one's is brought along with the libraries it is linked to. Returns their loader's name. */
async function bring(kubectl: readonly string[], program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'podcause-lab-pod-'));
  try {
    const libraries = librariesOf(await must('ldd', [process.execPath]));
    mkdirSync(join(folder, 'cli'));
    copyFileSync(process.execPath, join(folder, 'node'));
    for (const file of libraries) copyFileSync(file, join(folder, basename(file)));
    cpSync(dirname(program), join(folder, 'cli'), { recursive: true });
    const receive = [...kubectl, 'exec', '-i', '-n', NAMESPACE, POD, '--', 'tar', '-xf', '-', '-C', '/program'];
    await must('bash', ['-c', 'set -o pipefail; folder=$1; shift; tar -C "$folder" -cf - . | "$@"', 'bring', folder, ...receive], {
      timeoutSeconds: 120,
    });
    const loader = libraries.map((file) => basename(file)).find((name) => name.startsWith('ld-'));
    if (loader === undefined) throw new Error('node is linked to no loader');
    return loader;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Paths out of what ldd prints; the kernel's own part has none. */
export function librariesOf(ldd: string): readonly string[] {
  return [...ldd.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, file]) => file ?? '');
}
