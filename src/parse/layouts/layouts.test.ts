import { describe, expect, it } from 'vitest';
import { contextOfDocument } from './index.ts';

const known = (name: string) => {
  const { doc, ...context } = contextOfDocument(name);
  expect(doc).toBe(name);
  return context;
};

const UID = '0f0f0f0f-1111-2222-3333-444444444444';

describe('archives', () => {
  it.each([
    // troubleshoot
    [
      'support-bundle-2024-05-01T10_00_00/cluster-resources/pods/logs/shop/web-0/app.log',
      { channel: 'container-log', namespace: 'shop', pod: 'Pod/shop/web-0', container: 'app' },
    ],
    [
      'sb.tar.gz/support-bundle-2024/cluster-resources/pods/logs/shop/web-0/app-previous.log',
      { channel: 'container-log', namespace: 'shop', pod: 'Pod/shop/web-0', container: 'app', previous: true },
    ],
    ['sb/cluster-resources/pods/logs/shop/web-0/app-logs-errors.log', { channel: 'pod-status', namespace: 'shop', pod: 'Pod/shop/web-0' }],
    ['sb/host-collectors/journald/kubelet.txt', { channel: 'kubelet-log', unit: 'kubelet' }],
    ['sb/host-collectors/run-host/df.txt', {}],
    ['sb/cluster-resources/nodes.json', {}],
    // must-gather
    [
      'mg/quay-io-x/namespaces/shop/pods/web-0/app/app/logs/previous.log',
      { channel: 'container-log', namespace: 'shop', pod: 'Pod/shop/web-0', container: 'app', previous: true },
    ],
    ['mg/quay-io-x/host_service_logs/masters/kubelet_service.log', { channel: 'kubelet-log', unit: 'kubelet' }],
    ['mg/quay-io-x/host_service_logs/masters/crio_service.log', { channel: 'crio-log', unit: 'crio' }],
    ['mg/quay-io-x/namespaces/shop/core/events.yaml', { namespace: 'shop' }],
    ['mg/quay-io-x/nodes/w-1.example/w-1.example_logs_kubelet.gz', { channel: 'kubelet-log', unit: 'kubelet', node: 'Node/w-1.example' }],
    // sosreport
    ['sosreport-worker-2-2024-05-01-abcdefg/sos_commands/networking/ip_-o_addr', { node: 'Node/worker-2', command: 'ip -o addr' }],
    ['sosreport-worker-2-03456789-2024-05-01-abcdefg/proc/meminfo', { node: 'Node/worker-2', command: 'cat /proc/meminfo' }],
    ['sosreport-w.example.org-2024-05-01-abcdefg/var/log/messages', { node: 'Node/w.example.org', channel: 'system-log' }],
    [
      'sosreport-worker-2-2024-05-01-abcdefg/sos_commands/kubernetes/journalctl_--no-pager_--unit_kubelet',
      { node: 'Node/worker-2', unit: 'kubelet', channel: 'kubelet-log' },
    ],
    ['sosreport-worker-2-2024-05-01-abcdefg/sos_commands/kernel/dmesg_-T', { node: 'Node/worker-2', channel: 'kernel-log' }],
    [
      'sosreport-worker-2-2024-05-01-abcdefg/sos_commands/logs/journalctl_--no-pager_--boot',
      { node: 'Node/worker-2', channel: 'system-log' },
    ],
    ['sosreport-worker-2-2024-05-01-abcdefg/free', { node: 'Node/worker-2', command: 'free' }],
    [
      `sosreport-worker-2-2024-05-01-abcdefg/var/log/pods/shop_web-0_${UID}/app/3.log`,
      { channel: 'container-log', namespace: 'shop', pod: 'Pod/shop/web-0', container: 'app' },
    ],
    // Longhorn, Harvester
    [
      'supportbundle_x_2024-05-01T10-00-00Z.zip/supportbundle_x/logs/longhorn-system/longhorn-manager-ab1/longhorn-manager.log',
      {
        channel: 'container-log',
        namespace: 'longhorn-system',
        pod: 'Pod/longhorn-system/longhorn-manager-ab1',
        container: 'longhorn-manager',
      },
    ],
    [
      'supportbundle_x/logs/longhorn-system/longhorn-manager-ab1/longhorn-manager.log.1',
      {
        channel: 'container-log',
        namespace: 'longhorn-system',
        pod: 'Pod/longhorn-system/longhorn-manager-ab1',
        container: 'longhorn-manager',
        previous: true,
      },
    ],
    ['supportbundle_x/nodes/worker-1.zip/worker-1/logs/kubelet.log', { node: 'Node/worker-1', unit: 'kubelet', channel: 'kubelet-log' }],
    ['supportbundle_x/nodes/worker-1/logs/dmesg.log', { node: 'Node/worker-1', unit: 'dmesg', channel: 'kernel-log' }],
    ['supportbundle_x/nodes/worker-1.zip/worker-1/logs/messages', { node: 'Node/worker-1', channel: 'system-log' }],
    ['supportbundle_x/nodes/worker-1.zip/worker-1/hostinfos/proc_mounts', { node: 'Node/worker-1', command: 'cat /proc/mounts' }],
    ['supportbundle_x/nodes/worker-1.zip/worker-1/hostname', { node: 'Node/worker-1' }],
    [
      'longhorn-support-bundle_u_2021/logs/longhorn-manager-ab1/longhorn-manager.log',
      {
        channel: 'container-log',
        namespace: 'longhorn-system',
        pod: 'Pod/longhorn-system/longhorn-manager-ab1',
        container: 'longhorn-manager',
      },
    ],
    // Rancher
    ['worker-2-2024-05-01_10_20_30/systeminfo/freem', { node: 'Node/worker-2', command: 'free -m' }],
    ['w2.tgz/worker-2-2024-05-01_10_20_30/networking/sstunlp4', { node: 'Node/worker-2', command: 'ss -tunlp4' }],
    ['worker-2-2024-05-01_10_20_30/journald/k3s-agent', { node: 'Node/worker-2', unit: 'k3s-agent', channel: 'kubelet-log' }],
    ['worker-2-2024-05-01_10_20_30/journald/rke2-server', { node: 'Node/worker-2', unit: 'rke2-server', channel: 'system-log' }],
    ['worker-2-2024-05-01_10_20_30/rke2/crictl/psa', { node: 'Node/worker-2', command: 'crictl ps -a' }],
    ['worker-2-2024-05-01_10_20_30/rke2/kubectl/pods', { command: 'kubectl get pods -A -o wide' }],
    ['worker-2-2024-05-01_10_20_30/rke2/kubectl/nodesdescribe', { command: 'kubectl describe nodes' }],
    [
      'worker-2-2024-05-01_10_20_30/rke2/podlogs/cattle-fleet-system-fleet-agent-0-previous',
      { channel: 'container-log', namespace: 'cattle-fleet-system', pod: 'Pod/cattle-fleet-system/fleet-agent-0', previous: true },
    ],
    [
      'worker-2-2024-05-01_10_20_30/rke2/podlogs/kube-system-kube-proxy-worker-2',
      { channel: 'container-log', namespace: 'kube-system', pod: 'Pod/kube-system/kube-proxy-worker-2' },
    ],
    [
      `worker-2-2024-05-01_10_20_30/rke/podlogs/k8s_app_web-0_shop_${UID}_3`,
      { node: 'Node/worker-2', channel: 'container-log', namespace: 'shop', pod: 'Pod/shop/web-0', container: 'app' },
    ],
    ['worker-2-2024-05-01_10_20_30/rke2/agent-logs/kubelet.log', { node: 'Node/worker-2', channel: 'kubelet-log' }],
    ['worker-2-2024-05-01_10_20_30/rke2/containerd.log', { node: 'Node/worker-2', channel: 'containerd-log' }],
    ['worker-2-2024-05-01_10_20_30/systemlogs/syslog.1', { node: 'Node/worker-2', channel: 'system-log' }],
    [
      'worker-2-2024-05-01_10_20_30/rke2/certs/server/client-admin.crt',
      { node: 'Node/worker-2', command: 'openssl x509 -text -noout -in server/client-admin.crt' },
    ],
    // cluster-info dump as a folder
    ['dump/shop/web-0/logs.txt', { channel: 'container-log', namespace: 'shop', pod: 'Pod/shop/web-0' }],
  ])('%s', (name, context) => {
    expect(known(name)).toEqual(context);
  });

  it.each(['notes/docker/readme.md', 'my-app/etcd/config.yaml', 'logs/2024/05/app.txt', 'a/networking/notes.txt', 'k3s/notes.txt'])(
    'an ordinary folder stays one: %s',
    (name) => {
      expect(known(name)).toEqual({});
    },
  );

  it.each(['sosreport-', '-2024-05-01_10_20_30', 'nodes/', 'a-', 'logs/a/', 'kube-system-', 'host-collectors/'])(
    'a name of thousands of %s is only a name',
    (part) => {
      expect(known(part.repeat(5000)).pod).toBeUndefined();
    },
  );
});
