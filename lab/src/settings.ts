import { join } from 'node:path';

export const KUBERNETES_VERSION = 'v1.31.4';

export interface NodeSettings {
  readonly name: string;
  readonly address: string;
  readonly podNetwork: string;
}

/** Several labs can stand side by side: PODCAUSE_LAB_INSTANCE is the number of this one, 0 unless given. */
export function instanceNumber(environment: NodeJS.ProcessEnv = process.env): number {
  const number = Number(environment['PODCAUSE_LAB_INSTANCE'] ?? '0');
  if (!Number.isInteger(number) || number < 0 || number > 9) throw new Error('PODCAUSE_LAB_INSTANCE is a number from 0 to 9');
  return number;
}

const INSTANCE = instanceNumber();
const SUFFIX = INSTANCE === 0 ? '' : `-${INSTANCE}`;
const LAB_PREFIX = `10.${77 + INSTANCE}.0`;
const POD_PREFIX = `10.${244 - INSTANCE}`;

export const LAB_NAME = `podcause-lab${SUFFIX}`;
export const API_ADDRESS = `${LAB_PREFIX}.1`;
export const API_PORT = 6443;
export const HOST_ADDRESS = `${LAB_PREFIX}.254`;
export const LAB_NETWORK = `${LAB_PREFIX}.0/24`;
export const SERVICE_NETWORK = '10.96.0.0/16';
export const API_SERVICE_ADDRESS = '10.96.0.1';
export const POD_NETWORK = `${POD_PREFIX}.0.0/16`;
export const REGISTRY_NAME = 'registry.lab.local';

/** `worker-a` is there to be broken; `worker-b` is its healthy twin. */
export const NAMESPACE_NODES: readonly NodeSettings[] = [
  { name: 'worker-a', address: `${LAB_PREFIX}.11`, podNetwork: `${POD_PREFIX}.1.0/24` },
  { name: 'worker-b', address: `${LAB_PREFIX}.12`, podNetwork: `${POD_PREFIX}.2.0/24` },
];

/** The control plane lives in the network namespace that carries the lab's name. */
export const CONTROL_NETWORK_NAMESPACE: string = `${LAB_NAME}`;
export const BRIDGE = 'lab0';
export const HOST_LINK = `podcause${INSTANCE}`;

export function networkNamespace(node: string): string {
  return `${LAB_NAME}-${node}`;
}

export interface Paths {
  /** The checkout. */
  readonly root: string;
  readonly cache: string;
  readonly state: string;
  readonly kubeconfig: string;
}

export function labPaths(root: string, environment: NodeJS.ProcessEnv = process.env): Paths {
  const cache = environment['PODCAUSE_LAB_CACHE'] ?? '/var/cache/podcause-lab';
  const state = environment['PODCAUSE_LAB_STATE'] ?? `/var/lib/${LAB_NAME}`;
  return { root, cache, state, kubeconfig: join(state, 'kubeconfig') };
}

export function binaryPath(paths: Paths, name: string): string {
  return join(paths.cache, 'bin', `kubernetes-${KUBERNETES_VERSION}`, name);
}

export function nodeFolder(paths: Paths, node: string): string {
  return join(paths.state, 'nodes', node);
}

export function pidFolder(paths: Paths): string {
  return join(paths.state, 'pids');
}
