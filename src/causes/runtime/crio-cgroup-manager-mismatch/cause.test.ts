import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (inner: string) => `[ops@bastion ~]$ kubectl describe pod ledger-0 -n bank
Name:             ledger-0
Namespace:        bank
Node:             elm-4/10.9.0.4
Status:           Pending
Events:
  Type     Reason                  Age                From               Message
  ----     ------                  ----               ----               -------
  Normal   Scheduled               2m                 default-scheduler  Successfully assigned bank/ledger-0 to elm-4
  Warning  FailedCreatePodSandBox  5s (x10 over 2m)   kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = ${inner}
`;
const noSlice =
  'cri-o configured with systemd cgroup manager, but did not receive slice as parent: /kubepods/burstable/pod3c1f7c1a-0b7e-4ab4-9d43-1d7d3f3b9c55';
const slice =
  'cri-o configured with cgroupfs cgroup manager, but received systemd slice as parent: kubepods-burstable-pod3c1f7c1a_0b7e_4ab4_9d43_1d7d3f3b9c55.slice';

testCause(cause, {
  finds: {
    'CRI-O on systemd, the kubelet on cgroupfs': {
      evidence: {
        'describe.txt': events(noSlice),
        'kubelet.yaml': 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\ncgroupDriver: cgroupfs\n',
      },
      confidence: 'certain',
      place: 'node elm-4',
      cites: ['describe.txt:10', 'kubelet.yaml:3'],
      victims: 1,
    },
    'the other way round': {
      evidence: { 'describe.txt': events(slice), 'crio.conf': '[crio.runtime]\ncgroup_manager = "cgroupfs"\nconmon_cgroup = "pod"\n' },
      confidence: 'certain',
      place: 'node elm-4',
      cites: ['describe.txt:10', 'crio.conf:2'],
    },
  },
  rulesOut: {
    'a kubelet and a CRI-O that agree by themselves': {
      evidence: {
        'describe.txt': events(noSlice),
        'kubelet.log': `Feb 02 07:10:00 elm-4 kubelet[1002]: I0202 07:10:00.004112    1002 kubelet.go:480] "Using cgroup driver setting received from the CRI runtime" cgroupDriver="systemd"
`,
      },
      by: 'followsRuntime',
    },
  },
  asks: { 'what CRI-O is set to': { evidence: { 'describe.txt': events(noSlice) }, for: 'crio-config' } },
});
