import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { areBuilt, buildBinaries, canBuild } from './binaries.ts';
import { makeCredentials, startControlPlane } from './cluster/control-plane.ts';
import { IMAGES, imageFile, makeImages } from './images.ts';
import { noteKernelSettings, otherNotes, settingsNote } from './kernel-settings.ts';
import type { Lab } from './lab.ts';
import { makeNetwork } from './network.ts';
import { importImage } from './node/namespace-node.ts';
import { startNode } from './node/start.ts';
import { openLab } from './open-lab.ts';
import { installPackages, lacks, missingPackages } from './packages.ts';
import { holdsWithin } from './run-command.ts';
import { NAMESPACE_NODES, type Paths } from './settings.ts';
import { vmImage } from './vm/image.ts';
import { missingForVm, missingVmPackages } from './vm/requirements.ts';

export class LabUnavailable extends Error {
  override readonly name = 'LabUnavailable';
}

export interface UpOptions {
  readonly install: boolean;
  /** Also makes the disk of the virtual machine, which takes minutes the first time. */
  readonly vm?: boolean;
}

export type Say = (line: string) => void;

async function prepare(paths: Paths, options: UpOptions, say: Say): Promise<void> {
  const root = process.getuid?.() === 0;
  const missing = [...missingPackages(), ...(options.vm ? missingVmPackages() : [])];
  if (root && options.install && missing.length > 0) await installPackages(missing, say);
  const needs = lacks({ root, go: canBuild(), built: areBuilt(paths), packages: missingPackages() });
  const lines = [...needs, ...(options.vm ? missingForVm() : [])];
  if (lines.length > 0) throw new LabUnavailable(`the lab cannot run here\n${lines.map((line) => `  ${line}`).join('\n')}`);
  await buildBinaries(paths, say);
  if (options.vm) await vmImage(paths, say);
}

/** Everything that is up already is left as it is. */
export async function up(paths: Paths, options: UpOptions, say: Say): Promise<Lab> {
  await prepare(paths, options, say);
  mkdirSync(paths.state, { recursive: true, mode: 0o755 });
  noteKernelSettings(settingsNote(paths.state), otherNotes(paths.state));
  say('network, certificates, images');
  await makeNetwork();
  const authority = await makeCredentials(paths);
  await makeImages(imageFolder(paths), paths);
  say('etcd, kube-apiserver, kube-controller-manager, kube-scheduler');
  await startControlPlane(paths);
  for (const node of NAMESPACE_NODES) {
    say(`node ${node.name}: systemd, containerd, kubelet`);
    await startNode(paths, authority, node);
  }
  const lab = openLab(paths);
  for (const node of NAMESPACE_NODES) await loadImages(paths, lab, node.name);
  say('waiting for the nodes');
  for (const node of NAMESPACE_NODES) await waitForNode(lab, node.name);
  say(`up; KUBECONFIG=${paths.kubeconfig}`);
  return lab;
}

function imageFolder(paths: Paths): string {
  return join(paths.state, 'images');
}

/** Imports what is missing; after disk pressure or a lost image a scenario calls it again. */
export async function loadImages(paths: Paths, lab: Lab, name: string): Promise<void> {
  const node = lab.node(name);
  const running = await holdsWithin(60, async () => (await node.exec('ctr version', { timeoutSeconds: 10 })).code === 0);
  if (!running)
    throw new Error(`containerd of ${name} does not answer: ${(await node.exec('journalctl -u containerd -n 20 --no-pager')).stdout}`);
  const there = (await node.exec('ctr -n k8s.io images ls -q')).stdout.split('\n');
  for (const recipe of IMAGES) {
    if (there.includes(recipe.name)) continue;
    const ran = await importImage(paths, name, imageFile(imageFolder(paths), recipe.name));
    if (ran.code !== 0) throw new Error(`${name}: image ${recipe.name} could not be imported: ${ran.stderr.trim()}`);
  }
}

export async function isNodeReady(lab: Lab, name: string): Promise<boolean> {
  const query = ['get', 'node', name, '-o', 'jsonpath={.status.conditions[?(@.type=="Ready")].status} {.spec.unschedulable}'];
  return (await lab.kubectl(query, { timeoutSeconds: 15 })).stdout.trim() === 'True';
}

async function waitForNode(lab: Lab, name: string): Promise<void> {
  if (await holdsWithin(120, () => isNodeReady(lab, name))) return;
  const journal = await lab.node(name).exec('journalctl -u kubelet -n 15 --no-pager -o cat');
  throw new Error(`${name} is not ready after two minutes; its kubelet says:\n${journal.stdout}`);
}
