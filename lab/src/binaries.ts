import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from './packages.ts';
import { must } from './run-command.ts';
import { binaryPath, KUBERNETES_VERSION, type Paths } from './settings.ts';

const COMMANDS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kubectl'] as const;

/** Ours, built beside them because their module has what it needs. */
const OWN_COMMANDS = ['watcher'] as const;

export function areBuilt(paths: Paths): boolean {
  return [...COMMANDS, ...OWN_COMMANDS].every((name) => existsSync(binaryPath(paths, name)));
}

export function canBuild(): boolean {
  return onPath('go');
}

/** The linker's flags that make the commands tell their version. */
export function versionFlags(version: string): string {
  const [major, minor] = version.replace(/^v/, '').split('.');
  const set = (name: string, value: string): string => `-X k8s.io/component-base/version.${name}=${value}`;
  return ['-s', '-w', set('gitVersion', version), set('gitMajor', major ?? ''), set('gitMinor', minor ?? '')].join(' ');
}

/** Builds into a folder beside the final one and renames, so that a build cut short is never taken for a whole one. */
export async function buildBinaries(paths: Paths, say: (line: string) => void): Promise<void> {
  if (areBuilt(paths)) return;
  const final = join(paths.cache, 'bin', `kubernetes-${KUBERNETES_VERSION}`);
  const partial = `${final}.building`;
  say(`building Kubernetes ${KUBERNETES_VERSION} (once, about 7 minutes on 2 cores)`);
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const sources = [...COMMANDS.map((name) => `k8s.io/kubernetes/cmd/${name}`), ...OWN_COMMANDS.map((name) => `./${name}`)];
  await must('go', ['build', '-trimpath', '-ldflags', versionFlags(KUBERNETES_VERSION), '-o', `${partial}/`, ...sources], {
    cwd: join(paths.root, 'lab/kubernetes', minorOf(KUBERNETES_VERSION)),
    // go.sum pins every module; a checksum database may be out of reach.
    env: { CGO_ENABLED: '0', GOSUMDB: 'off' },
    timeoutSeconds: 3600,
  });
  rmSync(final, { recursive: true, force: true });
  renameSync(partial, final);
}

export function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}
