import type { Incident, TimelineEntry, Victim } from '../../src/model/report.ts';
import { cite, pointer, reason } from './cite.ts';

const killing = cite('describe.txt', 34, 'Normal   Killing         2m11s (x3 over 6m40s)');
const sandbox = cite('describe.txt', 35, 'Pod sandbox changed, it will be killed and re-created.');

const VICTIMS: readonly Victim[] = [
  {
    id: 'Pod/kube-system/kube-proxy-x7k2m',
    name: 'kube-system/kube-proxy-x7k2m',
    symptoms: ['crash-loop'],
    detail: '41 restarts',
    node: 'heron-2',
    cited: [cite('kubelet.log', 3, 'pod="kube-system/kube-proxy-x7k2m"')],
  },
  {
    id: 'Pod/net/flannel-9dkqz',
    name: 'net/flannel-9dkqz',
    symptoms: ['crash-loop'],
    node: 'heron-2',
    cited: [cite('kubelet.log', 4, 'pod="net/flannel-9dkqz"')],
  },
  {
    id: 'Pod/default/nfs-provisioner-6f7d9c-jm4wt',
    name: 'default/nfs-provisioner-6f7d9c-jm4wt',
    symptoms: ['restarts', 'not-ready'],
    node: 'heron-2',
    cited: [cite('kubelet.log', 5, 'pod="default/nfs-provisioner-6f7d9c-jm4wt"')],
  },
];

const TIMELINE: readonly TimelineEntry[] = [
  {
    ago: 482,
    untilAgo: 128,
    what: 'Started',
    about: 'kube-system/kube-proxy-x7k2m',
    tone: 'normal',
    count: 4,
    cited: [cite('describe.txt', 37, 'Started container kube-proxy')],
  },
  { ago: 401, untilAgo: 130, what: 'Sandbox changed', about: 'kube-system/kube-proxy-x7k2m', tone: 'warn', count: 4, cited: [sandbox] },
  {
    ago: 400,
    untilAgo: 131,
    what: 'Stopped by the kubelet',
    about: 'kube-system/kube-proxy-x7k2m',
    tone: 'bad',
    count: 3,
    cited: [killing],
  },
  {
    ago: 330,
    untilAgo: 12,
    what: 'Back-off',
    about: 'kube-system/kube-proxy-x7k2m',
    tone: 'bad',
    count: 9,
    cited: [cite('describe.txt', 38, 'BackOff')],
  },
  {
    ago: 206,
    what: 'Restart',
    about: 'net/flannel-9dkqz',
    tone: 'bad',
    count: 1,
    cited: [cite('kubelet.log', 4, 'pod="net/flannel-9dkqz"')],
  },
  { ago: 344, what: 'Restart', about: 'net/flannel-9dkqz', tone: 'bad', count: 1, cited: [] },
  { ago: 611, what: 'containerd restarted', about: 'node heron-2', tone: 'warn', count: 1, cited: [] },
  { ago: 58, what: 'Probe failed', about: 'default/nfs-provisioner-6f7d9c-jm4wt', tone: 'warn', count: 1, cited: [] },
];

export const NODE_INCIDENT: Incident = {
  number: 1,
  cause: 'cgroup-driver-mismatch',
  area: 'runtime',
  title: 'kubelet and containerd disagree on the cgroup driver',
  why: 'The kubelet asks for containers below systemd slices, containerd makes cgroups of its own beside them. systemd sees processes it does not know and cleans them up; the kubelet finds the sandbox gone and starts anew. No error is written anywhere, because each of the two did what it was told.\n\nThat is why every pod of the node is stopped every few minutes while its log ends cleanly. `SystemdCgroup` decides it.',
  place: 'node heron-2',
  placeId: 'Node/heron-2',
  confidence: 'probable',
  chain: [],
  victims: VICTIMS,
  victimCount: 3,
  because: [
    reason('runtimeDriver', 'proves', 'containerd manages cgroups itself', cite('config.toml', 128, 'SystemdCgroup = false')),
    {
      ...reason(
        'kubeletDriver',
        'needs',
        'the kubelet was set up by kubeadm 1.30, which uses systemd',
        pointer('nodes.json', '/items/1/status/nodeInfo/kubeletVersion', '"kubeletVersion": "v1.30.2"'),
      ),
      hearsay: true,
    },
    reason('silentStops', 'supports', 'pods are stopped, they do not crash', killing, sandbox),
    {
      ...reason('unrelated', 'supports', 'three unrelated pods on one node restart', ...VICTIMS.flatMap((victim) => victim.cited)),
      count: 14,
    },
  ],
  not: [
    { says: 'an app crash: the logs end cleanly', cited: [cite('proxy.log', 13, 'Exiting gracefully')], looked: [] },
    { says: 'a failing probe: no Unhealthy event', cited: [], looked: ['describe.txt:31-38', 'events.txt:1-211'] },
    { says: 'a node reboot: the stops go on for six minutes', cited: [killing], looked: [] },
  ],
  rivals: [
    {
      cause: 'stale-cni',
      title: 'two network plugins fight over the sandbox',
      place: 'node heron-2',
      confidence: 'possible',
      because: [reason('sandbox', 'supports', 'sandboxes change again and again', sandbox)],
    },
  ],
  fixes: [
    {
      title: 'Let containerd use systemd for cgroups on heron-2',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'Set `SystemdCgroup = true` for the runc handler',
          command: "sed -i 's/SystemdCgroup = false/SystemdCgroup = true/' /etc/containerd/config.toml",
          on: 'node',
        },
        { say: 'Restart the runtime and the kubelet', command: 'systemctl restart containerd kubelet', on: 'node', family: 'debian' },
        {
          say: 'Restart the runtime and the kubelet',
          command: 'systemctl restart containerd.service kubelet.service',
          on: 'node',
          family: 'rhel',
        },
        { say: 'Watch the pods come up', command: 'kubectl get pods -A --field-selector spec.nodeName=heron-2 -w', on: 'cluster' },
      ],
      verified: 'containers sit in `…/cri-containerd-<id>.scope` and nothing restarts for 10 minutes',
    },
    {
      title: 'Take the node out and join it anew',
      risk: 'may-lose-data',
      steps: [{ say: 'Drain it', command: 'kubectl drain heron-2 --ignore-daemonsets --delete-emptydir-data', on: 'cluster' }],
    },
  ],
  asks: [
    {
      tells: 'which driver the kubelet really uses',
      command: 'grep cgroupDriver /var/lib/kubelet/config.yaml',
      where: 'heron-2',
      channel: 'kubelet-config',
      settles: ['cgroup-driver-mismatch', 'stale-cni'],
    },
    {
      tells: 'where the containers sit',
      command: "find /sys/fs/cgroup -name '*cri-containerd*' | head",
      where: 'heron-2',
      channel: 'cgroup-paths',
      settles: ['cgroup-driver-mismatch'],
    },
  ],
  timeline: TIMELINE,
};
