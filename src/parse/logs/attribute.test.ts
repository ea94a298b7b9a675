import { describe, expect, it } from 'vitest';
import type { Context } from '../../model/reading.ts';
import { attribute } from './attribute.ts';
import { parseLogLine, plainLogLine } from './parse-line.ts';

const ID = 'c0'.repeat(32);

function who(line: string, context: Partial<Context> = {}, voice?: string) {
  const { channel, about, component } = attribute(parseLogLine(line) ?? plainLogLine(line), { doc: 'x', ...context }, voice);
  return [channel, about, component];
}

describe('attribute', () => {
  it.each([
    ['kubelet[1]: up', 'kubelet-log', 'kubelet'],
    ['containerd[1]: up', 'containerd-log', 'containerd'],
    ['dockerd[1]: up', 'docker-log', 'dockerd'],
    ['cri-dockerd[1]: up', 'docker-log', 'cri-dockerd'],
    ['crio[1]: up', 'crio-log', 'crio'],
    ['kernel: eth0 up', 'kernel-log', 'kernel'],
    ['etcd[1]: up', 'control-plane-log', 'etcd'],
    ['kube-apiserver[1]: up', 'control-plane-log', 'kube-apiserver'],
    ['systemd[1]: up', 'system-log', 'systemd'],
    ['NetworkManager[1]: up', 'system-log', 'NetworkManager'],
    ['k3s[1]: I0102 03:04:05.000000 1 kubelet.go:1] up', 'kubelet-log', 'k3s'],
    ['k3s[1]: time="2024-01-02T03:04:05Z" level=info msg=up', 'system-log', 'k3s'],
    ['rke2[1]: Error: failed to validate kubelet flags: unknown', 'kubelet-log', 'rke2'],
    ['k0s[1]: time="2024-01-02T03:04:05Z" level=info msg="starting" component=kubelet', 'kubelet-log', 'k0s'],
    ['snap.microk8s.daemon-containerd[1]: up', 'containerd-log', 'containerd'],
  ])('journal: %s', (line, channel, component) => {
    expect(who(`Jan 02 03:04:05 node-a ${line}`)).toEqual([channel, 'Node/node-a', component]);
  });

  it('goes to the pod or container a daemon names', () => {
    expect(who('Jan 02 03:04:05 node-a kubelet[1]: E0102 03:04:05.000000 1 pod_workers.go:1] "x" pod="shop/api-0"')[1]).toBe(
      'Pod/shop/api-0',
    );
    expect(who(`Jan 02 03:04:05 node-a containerd[1]: time="2024-01-02T03:04:05Z" level=info msg="StopContainer for \\"${ID}\\""`)[1]).toBe(
      `cid:${ID}`,
    );
  });

  it.each([
    ['E0102 03:04:05.000000    77 pod_workers.go:1] "x"', 'kubelet-log', 'Node/?', 'kubelet'],
    ['E0102 03:04:05.000000    77 run.go:74] "command failed" err="failed to run Kubelet: x"', 'kubelet-log', 'Node/?', 'kubelet'],
    [
      'E0102 03:04:05.000000    77 run.go:74] "command failed" err="failed to set feature gates from initial flags-based config: unrecognized feature gate: X"',
      'kubelet-log',
      'Node/?',
      'kubelet',
    ],
    ['E0102 03:04:05.000000    77 controller.go:187] "Failed to update lease" err="Unauthorized"', 'kubelet-log', 'Node/?', 'kubelet'],
    ['WARN[2024-01-02 03:04:05] exit status 255                               component=kubelet', 'kubelet-log', 'Node/?', 'kubelet'],
    ['level=fatal msg="starting kubernetes: preparing server: x"', 'system-log', 'Node/?', 'k3s'],
    ['time="2024-01-02T03:04:05Z" level=fatal msg="Validating runtime config: x"', 'crio-log', 'Node/?', 'crio'],
    ['I0102 03:04:05.000000     1 proxier.go:1] "x"', 'container-log', 'Container/?/?/kube-proxy', 'kube-proxy'],
    ['I0102 03:04:05.000000     1 vxlan_network.go:65] x', 'container-log', 'Container/?/?/kube-flannel', 'kube-flannel'],
    [
      'I0102 03:04:05.000000     1 controllermanager.go:65] x',
      'control-plane-log',
      'Container/?/?/kube-controller-manager',
      'kube-controller-manager',
    ],
    [
      '{"level":"warn","ts":"2024-01-02T03:04:05Z","caller":"etcdserver/util.go:1","msg":"slow"}',
      'control-plane-log',
      'Container/?/?/etcd',
      'etcd',
    ],
    [
      'time="2024-01-02T03:04:05Z" level=info msg="loading plugin" type=io.containerd.snapshotter.v1',
      'containerd-log',
      'Node/?',
      'containerd',
    ],
    ['time="2024-01-02T03:04:05Z" level=error msg="Handler for GET /v1.41/x returned error"', 'docker-log', 'Node/?', 'dockerd'],
    ['level=info msg=up subsys=daemon', 'container-log', 'Container/?/?/cilium', 'cilium'],
    ['[INFO] plugin/ready: up', 'container-log', 'Container/?/?/coredns', 'coredns'],
    ['[12.345678] eth0: down', 'kernel-log', 'Node/?', 'kernel'],
    ['2024/01/02 03:04:05 up', 'container-log', 'Container/?/?/?', undefined],
    ["E0102 03:04:05.000000    77 memcache.go:265] couldn't get current server API group list", 'objects', 'Cluster/-', 'kubectl'],
  ])('bare: %s', (line, channel, about, component) => {
    expect(who(line)).toEqual([channel, about, component]);
  });

  it("takes a pod's log to its container", () => {
    const context = { pod: 'Pod/shop/api-0', command: 'kubectl logs api-0', node: 'Node/laptop' };
    expect(who('any words', context)).toEqual(['container-log', 'Container/shop/api-0/?', undefined]);
    expect(who('any words', { ...context, container: 'app' })).toEqual(['container-log', 'Container/shop/api-0/app', 'app']);
    expect(who('any words', { pod: 'Pod/kube-system/etcd-cp1' })).toEqual([
      'control-plane-log',
      'Container/kube-system/etcd-cp1/etcd',
      'etcd',
    ]);
    expect(who('[pod/api-1/side] words', { namespace: 'shop', channel: 'container-log' })).toEqual([
      'container-log',
      'Container/shop/api-1/side',
      'side',
    ]);
  });

  it('keeps a container that only its id names', () => {
    expect(who('any words', { pod: `cid:${ID}`, channel: 'container-log' })[1]).toBe(`cid:${ID}`);
    expect(who('any words', { pod: 'uid:x', container: 'app', channel: 'container-log' })[1]).toBe('Container/uid:x/app');
  });

  it('follows what the command or the whole log says', () => {
    expect(who('cut off words', { channel: 'kubelet-log', node: 'Node/node-a', unit: 'kubelet' })).toEqual([
      'kubelet-log',
      'Node/node-a',
      'kubelet',
    ]);
    expect(who('I0102 03:04:05.000000     1 main.go:9] x', {}, 'kube-flannel')).toEqual([
      'container-log',
      'Container/?/?/kube-flannel',
      'kube-flannel',
    ]);
    expect(who('words', { channel: 'container-log' })).toEqual(['container-log', 'Container/?/?/?', undefined]);
  });

  it('leaves out host names that name no host', () => {
    expect(who('Jan 02 03:04:05 localhost kubelet[1]: up', { node: 'Node/node-b' })[1]).toBe('Node/node-b');
  });

  it('takes what the scheduler says about a pod to the pod', () => {
    expect(who('I0102 03:04:05.000000 1 schedule_one.go:1] "Unable to schedule pod; no fit; waiting" pod="shop/api-0"')[1]).toBe(
      'Pod/shop/api-0',
    );
  });
});
