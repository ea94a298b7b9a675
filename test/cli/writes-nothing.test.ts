import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { node } from '../../src/live/testing-port.ts';
import { type ApiServer, list, startApiServer } from './api-server.ts';
import { looksCrashed, podcause, root } from './built-cli.ts';

const template = {
  metadata: { labels: { app: 'cart' } },
  spec: {
    containers: [{ name: 'cart', image: 'registry.test/cart:3', resources: { limits: { memory: '64Mi' }, requests: { memory: '64Mi' } } }],
  },
};
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: 'shop', name: 'cart', uid: 'uid-d', generation: 1, resourceVersion: '7' },
  spec: { replicas: 1, selector: { matchLabels: { app: 'cart' } }, template },
  status: { replicas: 1, observedGeneration: 1 },
};
const replicaSet = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: {
    namespace: 'shop',
    name: 'cart-7c9d8b6f54',
    uid: 'uid-r',
    labels: { app: 'cart' },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'cart', uid: 'uid-d', controller: true }],
  },
  spec: { replicas: 1, selector: { matchLabels: { app: 'cart' } }, template },
};
const ended = { exitCode: 137, reason: 'OOMKilled', startedAt: '2026-03-01T11:58:00Z', finishedAt: '2026-03-01T11:58:20Z' };
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    namespace: 'shop',
    name: 'cart-7c9d8b6f54-x2x4z',
    uid: 'uid-p',
    labels: { app: 'cart' },
    creationTimestamp: '2026-03-01T11:00:00Z',
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'cart-7c9d8b6f54', uid: 'uid-r', controller: true }],
  },
  spec: { nodeName: 'n1', ...template.spec },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady' }],
    containerStatuses: [
      {
        name: 'cart',
        ready: false,
        restartCount: 6,
        state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container=cart' } },
        lastState: { terminated: ended },
      },
    ],
  },
};

const APPS = '/apis/apps/v1';
const answers = {
  '/apis': { kind: 'APIGroupList', groups: [{ name: 'apps', versions: [{ groupVersion: 'apps/v1', version: 'v1' }] }] },
  '/api/v1/nodes/n1': { apiVersion: 'v1', kind: 'Node', ...node('n1') },
  '/api/v1/pods': list('Pod', [pod]),
  '/api/v1/namespaces/shop/pods': list('Pod', [pod]),
  [`/api/v1/namespaces/shop/pods/${pod.metadata.name}`]: pod,
  [`${APPS}/deployments`]: list('Deployment', [deployment]),
  [`${APPS}/replicasets`]: list('ReplicaSet', [replicaSet]),
  [`${APPS}/namespaces/shop/deployments/cart`]: deployment,
  [`${APPS}/namespaces/shop/replicasets/${replicaSet.metadata.name}`]: replicaSet,
};

const hostFiles = {
  'etc/os-release': 'ID=debian\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
  'etc/containerd/config.toml':
    'version = 2\n[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]\n  SystemdCgroup = false\n',
  'var/lib/kubelet/config.yaml': 'kind: KubeletConfiguration\ncgroupDriver: systemd\n',
  'var/lib/podcause/fixes/20260301-1/about': 'title an old fix\nat 2026-03-01T10:00:00Z\n',
  'var/lib/podcause/fixes/20260301-1/state': 'run\nbegin 1\n',
  'proc/sys/kernel/hostname': 'worker-2\n',
};

let api: ApiServer;
let work: string;
const host = () => join(work, 'host');
const own = () => join(work, 'own');
/** Where it is called, as a user's folder: nothing may appear there unasked. */
const here = () => join(work, 'here');

beforeAll(async () => {
  api = await startApiServer(answers);
  work = mkdtempSync(join(tmpdir(), 'writes-nothing-'));
  mkdirSync(own());
  mkdirSync(here());
  for (const [name, text] of Object.entries(hostFiles)) {
    mkdirSync(dirname(join(host(), name)), { recursive: true });
    writeFileSync(join(host(), name), text);
  }
  const driver = await podcause(['-o', 'json', 'cases/lab-story-cgroup-drivers/pasted']);
  writeFileSync(join(own(), 'host.json'), driver.stdout);
  const live = await podcause(['-o', 'json'], { env: { KUBECONFIG: api.kubeconfig } });
  writeFileSync(join(own(), 'live.json'), live.stdout);
}, 60_000);
afterAll(async () => {
  await api.close();
  rmSync(work, { recursive: true, force: true });
});

/** The kernel moves a file's change time at every write to it or its folder, and nobody can set it back. */
function traces(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const { ctimeNs, mode, size } = lstatSync(path, { bigint: true });
    return `${path} ${ctimeNs} ${mode} ${size}`;
  });
}

/** Questions about our own rights are asked by POST and change nothing. */
function written(asked: readonly string[]): readonly string[] {
  return asked.filter(
    (request) =>
      !request.startsWith('GET ') && !/[?&]dryRun=All(?:&|$)/.test(request) && !/\/selfsubject(?:access|rules)reviews$/.test(request),
  );
}

const CASE = join(root, 'cases/lab-story-cgroup-drivers/pasted');

/** Every command, in the ways that come near to changing something. */
const COMMANDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  '': [[], ['-n', 'shop'], [`pod/${pod.metadata.name}`, '-n', 'shop'], ['--plan', '--deep'], ['--check'], ['--deep']],
  diagnose: [['diagnose', CASE]],
  demo: [['demo']],
  node: [['node'], ['node', '--script'], ['node', '--evidence']],
  collect: [
    ['collect', '--file', 'OWN/bundle.tgz'],
    ['collect', '--plan'],
  ],
  causes: [['causes'], ['causes', 'oom-container-limit']],
  explain: [['explain', 'OOMKilled']],
  fix: [
    ['fix'],
    ['fix', '--yes=touches-node'],
    ['fix', '--yes=touches-node', '--set', 'memory=128Mi', '-o', 'json'],
    ['fix', '--set', 'memory=128Mi', '-o', 'patch'],
    ['fix', '--set', 'memory=128Mi', '-o', 'kustomize'],
    ['fix', 'OWN/live.json', '--all-nodes', '--drain', '--despite-owner', '--yes=touches-node'],
    ['fix', 'OWN/host.json', '--here', '--yes=touches-node'],
    ['fix', 'OWN/host.json', '--here', '-o', 'script'],
    ['fix', 'OWN/host.json', '--here', '-o', 'ansible'],
    ['fix', 'OWN/host.json', '--via', 'sh -c'],
    ['fix', '--deep'],
    ['fix', '--resume', '--yes=touches-node', '--here'],
    ['fix', CASE, '--here'],
    // Nobody is there to say yes: --apply alone is not enough.
    ['fix', '--apply', '--set', 'memory=128Mi'],
    ['fix', 'OWN/host.json', '--here', '--apply'],
  ],
  verify: [
    ['verify', 'OWN/live.json'],
    ['verify', 'OWN/host.json', '--here'],
  ],
  undo: [
    ['undo'],
    ['undo', '20260301-1', '--here'],
    ['undo', '20260301-1', '--here', '--yes=touches-node'],
    ['undo', '20260301-1', '--here', '--apply'],
  ],
};

describe('nothing is written without --apply and a yes', () => {
  it('covers every command there is', async () => {
    const { stdout } = await podcause(['--help']);
    const commands = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}(?<name>[a-z]+) (?:\[|<| )/gm)].map(
      ({ groups }) => groups?.['name'],
    );
    const listed = commands.slice(0, commands.indexOf('podcause'));
    expect(listed.length).toBeGreaterThan(8);
    expect(Object.keys(COMMANDS)).toEqual(expect.arrayContaining(listed));
  });

  it('has something to plan for, in the cluster and on the host', async () => {
    const plans = await Promise.all(
      [
        ['fix', '--set', 'memory=128Mi', '-o', 'json'],
        ['fix', join(own(), 'host.json'), '--here', '-o', 'json'],
      ].map((args) => podcause(args, { env: { KUBECONFIG: api.kubeconfig, PODCAUSE_ROOT: host() } })),
    );
    const [inCluster, onHost] = plans.map(({ stdout }) => JSON.parse(stdout) as { steps: unknown[]; refused: string[]; cause: string });
    expect(inCluster).toMatchObject({ cause: 'oom-container-limit' });
    expect(inCluster?.steps).toHaveLength(1);
    expect(onHost?.cause).toBe('cgroup-driver-kubelet-systemd-runtime-cgroupfs');
  });

  // Side by side: whoever writes, all of them see it.
  it.concurrent.each(
    Object.values(COMMANDS)
      .flat()
      .map((args) => [args.join(' ') || 'alone', args] as const),
  )('podcause %s', async (_, args) => {
    const before = traces(host());
    const from = api.asked.length;
    const ran = await podcause(
      args.map((word) => word.replace('OWN', own())),
      { env: { KUBECONFIG: api.kubeconfig, PODCAUSE_ROOT: host() }, cwd: here() },
    );
    expect(looksCrashed(ran), ran.stderr).toBe(false);
    expect(written(api.asked.slice(from))).toEqual([]);
    expect(traces(host())).toEqual(before);
    expect(readdirSync(here())).toEqual([]);
    expect(existsSync('/var/lib/podcause')).toBe(false);
  });
});
