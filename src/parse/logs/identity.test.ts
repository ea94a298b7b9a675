import { describe, expect, it } from 'vitest';
import { namesIn, namesOf, narrowest } from './identity.ts';
import { parseLogLine } from './parse-line.ts';

const UID = '0a1b2c3d-1111-2222-3333-444455556666';
const CONTAINER = 'c0'.repeat(32);
const SANDBOX = '5a'.repeat(32);

describe('namesIn', () => {
  it.each([
    ['structured', `pod="shop/api-0" podUID="${UID}"`, { pod: 'Pod/shop/api-0', uid: UID }],
    [
      'name, namespace and uid',
      `restarting failed container=app pod=api-0_shop(${UID})`,
      { pod: 'Pod/shop/api-0', container: 'app', uid: UID },
    ],
    [
      'quoted, old',
      `Error syncing pod ${UID} ("api-0_shop(${UID})"), skipping: failed to "StartContainer" for "app" with x`,
      { pod: 'Pod/shop/api-0', container: 'app', uid: UID },
    ],
    ['a static pod', `"etcd-cp_kube-system(${'ab'.repeat(16)})"`, { pod: 'Pod/kube-system/etcd-cp', uid: 'ab'.repeat(16) }],
    ['a volume', `MountVolume.SetUp failed for volume "v" pod "api-0" (UID: "${UID}") : x`, { pod: 'Pod/?/api-0', uid: UID }],
    ['a volume of a pod known by its uid', `pod "${UID}" (UID: "${UID}")`, { uid: UID }],
    ['a pending operation', `Operation for "{volumeName:v podName:${UID} nodeName:}" failed`, { uid: UID }],
    ['a folder', `stat /var/lib/kubelet/pods/${UID}/volumes/x`, { uid: UID }],
    ['a log file', `/var/log/pods/shop_api-0_${UID}/app/0.log`, { pod: 'Pod/shop/api-0', container: 'app', uid: UID }],
    ['CNI arguments', 'IgnoreUnknown=1;K8S_POD_NAMESPACE=shop;K8S_POD_NAME=api-0;K8S_POD_UID=', { pod: 'Pod/shop/api-0' }],
    ['docker', `k8s_app_api-0_shop_${UID}_3`, { pod: 'Pod/shop/api-0', container: 'app', uid: UID }],
    ["docker's sandbox", `k8s_POD_api-0_shop_${UID}_3`, { pod: 'Pod/shop/api-0', uid: UID }],
    ['a reserved name', `failed to reserve sandbox name "api-0_shop_${UID}_4": name is reserved`, { pod: 'Pod/shop/api-0', uid: UID }],
    ['a cgroup of systemd', `kubepods-burstable-pod${UID.replaceAll('-', '_')}.slice`, { uid: UID }],
    ['a cgroup of cgroupfs', `/kubepods/besteffort/pod${UID}/x`, { uid: UID }],
  ])('%s', (_, text, expected) => {
    expect(namesIn(text)).toEqual({ containerIds: [], sandboxIds: [], ...expected });
  });

  it('tells sandboxes from containers', () => {
    const created = `CreateContainer within sandbox "${SANDBOX}" for &ContainerMetadata{Name:app,Attempt:0,} returns container id "${CONTAINER}"`;
    expect(namesIn(created)).toEqual({ container: 'app', containerIds: [CONTAINER], sandboxIds: [SANDBOX] });
    const run = `RunPodSandbox for &PodSandboxMetadata{Name:api-0,Uid:${UID},Namespace:shop,Attempt:0,} returns sandbox id "${SANDBOX}"`;
    expect(namesIn(run)).toEqual({ pod: 'Pod/shop/api-0', uid: UID, containerIds: [], sandboxIds: [SANDBOX] });
    expect(namesIn(`image sha256:${CONTAINER} is gone`).containerIds).toEqual([]);
  });

  it('finds nobody where nobody is named', () => {
    expect(namesIn('Node node-a status is now: NodeReady (and all is well_here)')).toEqual({ containerIds: [], sandboxIds: [] });
  });

  it('stays quick on hostile text', () => {
    const started = performance.now();
    for (const text of ['a_b('.repeat(200_000), `${'a'.repeat(800_000)}_b(${UID})`, `(${UID})`.repeat(20_000), 'kubepods'.repeat(100_000)])
      namesIn(text);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('namesOf', () => {
  it('prefers fields', () => {
    const line = parseLogLine(
      `I0102 03:04:05.000000 9 kuberuntime_container.go:1] "Killing container" pod="shop/api-0" podUID="${UID}" containerName="app" containerID="containerd://${CONTAINER}"`,
    );
    expect(line && namesOf(line)).toEqual({ pod: 'Pod/shop/api-0', uid: UID, container: 'app', containerIds: [CONTAINER], sandboxIds: [] });
  });

  it('takes a list of pods only when it names one', () => {
    const one = parseLogLine('I0102 03:04:05.000000 9 kubelet.go:1] "SyncLoop DELETE" source="api" pods=["shop/api-0"]');
    const two = parseLogLine('I0102 03:04:05.000000 9 kubelet.go:1] "SyncLoop DELETE" source="api" pods=["shop/api-0","shop/api-1"]');
    expect(one && namesOf(one).pod).toBe('Pod/shop/api-0');
    expect(two && namesOf(two).pod).toBeUndefined();
  });
});

it('narrows down to the container, the pod, or what only an id names', () => {
  const nobody = { containerIds: [], sandboxIds: [] };
  expect(narrowest({ ...nobody, pod: 'Pod/a/b', container: 'c' })).toBe('Container/a/b/c');
  expect(narrowest({ ...nobody, uid: UID, container: 'c' })).toBe(`Container/uid:${UID}/c`);
  expect(narrowest({ ...nobody, pod: 'Pod/a/b', containerIds: [CONTAINER] })).toBe('Pod/a/b');
  expect(narrowest({ ...nobody, containerIds: [CONTAINER] })).toBe(`cid:${CONTAINER}`);
  expect(narrowest({ ...nobody, sandboxIds: [SANDBOX] })).toBe(`sandbox:${SANDBOX}`);
  expect(narrowest(nobody)).toBeUndefined();
});
