import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { minorOf, versionFlags } from '../binaries.ts';
import { must } from '../run-command.ts';
import type { Paths } from '../settings.ts';
import { kubernetesVersions } from './guest-files.ts';

export interface KubeletBinary {
  readonly version: string;
  readonly path: string;
  readonly digest: string;
}

/** Both kubelets of the guest; the one that still speaks to Docker is built here if it is not in the cache. */
export async function kubeletBinaries(paths: Paths, say: (line: string) => void): Promise<readonly KubeletBinary[]> {
  await buildDockerKubelet(paths, say);
  return Promise.all(
    Object.values(kubernetesVersions).map(async (version) => {
      const path = kubeletPath(paths, version);
      if (!existsSync(path)) throw new Error(`the kubelet ${version} is not built: ${path} is missing`);
      return { version, path, digest: await digestOf(path) };
    }),
  );
}

function kubeletPath(paths: Paths, version: string): string {
  return join(paths.cache, 'bin', `kubernetes-${version}`, 'kubelet');
}

async function buildDockerKubelet(paths: Paths, say: (line: string) => void): Promise<void> {
  const version = kubernetesVersions.docker;
  const target = kubeletPath(paths, version);
  if (existsSync(target)) return;
  say(`building the kubelet ${version}, the last that speaks to Docker by itself (once, about 5 minutes on 2 cores)`);
  const final = join(target, '..');
  const partial = `${final}.building`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  // Modules of that age reach into the Go runtime by names that newer linkers refuse unless told.
  const flags = `${versionFlags(version)} -checklinkname=0`;
  await must('go', ['build', '-trimpath', '-ldflags', flags, '-o', `${partial}/`, 'k8s.io/kubernetes/cmd/kubelet'], {
    cwd: join(paths.root, 'lab/kubernetes', minorOf(version)),
    env: { CGO_ENABLED: '0', GOSUMDB: 'off' },
    timeoutSeconds: 3600,
  });
  rmSync(final, { recursive: true, force: true });
  renameSync(partial, final);
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
