import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inNetwork } from '../network.ts';
import { isAlive, knownProcess, startProcess } from '../processes.ts';
import { holdsWithin, runCommand } from '../run-command.ts';
import {
  API_ADDRESS,
  API_PORT,
  API_SERVICE_ADDRESS,
  binaryPath,
  CONTROL_NETWORK_NAMESPACE,
  type Paths,
  POD_NETWORK,
  pidFolder,
  SERVICE_NETWORK,
} from '../settings.ts';
import { type Authority, type CertificateRequest, issueFiles, makeAuthority, makeServiceAccountKeys } from './certificates.ts';
import { inlineKubeconfig } from './kubeconfig.ts';

export const API_SERVER = `https://${API_ADDRESS}:${API_PORT}`;

const IDENTITIES: Readonly<Record<string, CertificateRequest>> = {
  apiserver: {
    commonName: 'kube-apiserver',
    names: [
      ...['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local', 'localhost'].map(
        (name) => `DNS:${name}`,
      ),
      ...[API_ADDRESS, API_SERVICE_ADDRESS, '127.0.0.1'].map((address) => `IP:${address}`),
    ],
  },
  'apiserver-kubelet-client': { commonName: 'kube-apiserver-kubelet-client', organisation: 'system:masters' },
  admin: { commonName: 'kubernetes-admin', organisation: 'system:masters' },
  'controller-manager': { commonName: 'system:kube-controller-manager' },
  scheduler: { commonName: 'system:kube-scheduler' },
};

export function pkiFolder(paths: Paths): string {
  return join(paths.state, 'pki');
}

export async function makeCredentials(paths: Paths): Promise<Authority> {
  const folder = pkiFolder(paths);
  const authority = await makeAuthority(folder);
  for (const [name, request] of Object.entries(IDENTITIES)) await issueFiles(authority, folder, name, request);
  await makeServiceAccountKeys(folder);
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  for (const user of ['admin', 'controller-manager', 'scheduler']) {
    const text = inlineKubeconfig({
      server: API_SERVER,
      user,
      authority: read('ca.crt'),
      certificate: read(`${user}.crt`),
      key: read(`${user}.key`),
    });
    writeFileSync(user === 'admin' ? paths.kubeconfig : join(folder, `${user}.conf`), text, { mode: 0o600 });
  }
  return authority;
}

type Flags = Readonly<Record<string, string>>;

function apiserverFlags(folder: string): Flags {
  const pki = (name: string): string => join(folder, name);
  return {
    'advertise-address': API_ADDRESS,
    'bind-address': '0.0.0.0',
    'secure-port': String(API_PORT),
    'etcd-servers': 'http://127.0.0.1:2379',
    'allow-privileged': 'true',
    'authorization-mode': 'Node,RBAC',
    'enable-admission-plugins': 'NodeRestriction',
    'client-ca-file': pki('ca.crt'),
    'tls-cert-file': pki('apiserver.crt'),
    'tls-private-key-file': pki('apiserver.key'),
    'kubelet-client-certificate': pki('apiserver-kubelet-client.crt'),
    'kubelet-client-key': pki('apiserver-kubelet-client.key'),
    'kubelet-preferred-address-types': 'InternalIP',
    'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
    'service-account-key-file': pki('service-account.pub'),
    'service-account-signing-key-file': pki('service-account.key'),
    'service-cluster-ip-range': SERVICE_NETWORK,
    'event-ttl': '6h0m0s',
    'feature-gates': 'NodeLogQuery=true',
    profiling: 'false',
  };
}

function controllerManagerFlags(folder: string): Flags {
  const config = join(folder, 'controller-manager.conf');
  return {
    kubeconfig: config,
    'authentication-kubeconfig': config,
    'authorization-kubeconfig': config,
    'bind-address': '127.0.0.1',
    'cluster-cidr': POD_NETWORK,
    'allocate-node-cidrs': 'false',
    'service-cluster-ip-range': SERVICE_NETWORK,
    'root-ca-file': join(folder, 'ca.crt'),
    'cluster-signing-cert-file': join(folder, 'ca.crt'),
    'cluster-signing-key-file': join(folder, 'ca.key'),
    'service-account-private-key-file': join(folder, 'service-account.key'),
    'use-service-account-credentials': 'true',
    controllers: '*,bootstrapsigner,tokencleaner',
    'leader-elect': 'false',
    profiling: 'false',
  };
}

function schedulerFlags(folder: string): Flags {
  const config = join(folder, 'scheduler.conf');
  return {
    kubeconfig: config,
    'authentication-kubeconfig': config,
    'authorization-kubeconfig': config,
    'bind-address': '127.0.0.1',
    'leader-elect': 'false',
    profiling: 'false',
  };
}

function asArguments(flags: Flags): readonly string[] {
  return Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
}

function start(paths: Paths, name: string, command: string, args: readonly string[]): void {
  const folder = pidFolder(paths);
  const known = knownProcess(folder, name);
  if (known !== undefined && isAlive(known)) return;
  const [program, programArgs] = inNetwork(CONTROL_NETWORK_NAMESPACE, command, args);
  mkdirSync(join(paths.state, 'logs'), { recursive: true });
  startProcess(folder, { name, command: program, args: programArgs, log: join(paths.state, 'logs', `${name}.log`) });
}

export async function startControlPlane(paths: Paths): Promise<void> {
  const folder = pkiFolder(paths);
  start(paths, 'etcd', 'etcd', [
    `--data-dir=${join(paths.state, 'etcd')}`,
    '--listen-client-urls=http://127.0.0.1:2379',
    '--advertise-client-urls=http://127.0.0.1:2379',
    '--listen-peer-urls=http://127.0.0.1:2380',
    '--log-level=warn',
  ]);
  start(paths, 'kube-apiserver', binaryPath(paths, 'kube-apiserver'), asArguments(apiserverFlags(folder)));
  if (!(await holdsWithin(90, () => isReady(paths))))
    throw new Error(`the API server is not ready: see ${join(paths.state, 'logs/kube-apiserver.log')}`);
  start(paths, 'kube-controller-manager', binaryPath(paths, 'kube-controller-manager'), asArguments(controllerManagerFlags(folder)));
  start(paths, 'kube-scheduler', binaryPath(paths, 'kube-scheduler'), asArguments(schedulerFlags(folder)));
}

export async function isReady(paths: Paths): Promise<boolean> {
  const args = ['--kubeconfig', paths.kubeconfig, '--request-timeout=3s', 'get', '--raw', '/readyz'];
  return (await runCommand(binaryPath(paths, 'kubectl'), args, { timeoutSeconds: 10 })).stdout.trim() === 'ok';
}
