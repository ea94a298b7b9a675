import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const refused = (words: string) =>
  `Mar 04 08:10:12 worker-3 crio[812]: time="2026-03-04 08:10:12.288Z" level=error msg="Container creation error: ${words}" id=0b1c name=/runtime.v1.RuntimeService/CreateContainer\n`;
const allow = refused('writing file `devices.allow`: Operation not permitted');

testCause(cause, {
  finds: {
    'the journal of CRI-O': { evidence: { 'crio.log': allow }, confidence: 'certain', cites: ['crio.log:1'] },
    'the whole path': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:12 worker-3 kubelet[812]: E0304 08:10:12.100000     812 pod_workers.go:1298] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"web\\" with CreateContainerError: \\"container create failed: writing file `/sys/fs/cgroup/devices/kubepods.slice/crio-0b1c.scope/devices.allow`: Operation not permitted\\"" pod="shop/web-0"\n',
      },
      confidence: 'certain',
    },
    'with the version of crun': {
      evidence: { 'crio.log': allow, 'version.txt': '$ crun --version\ncrun version 1.18\n$ stat -fc %T /sys/fs/cgroup\ntmpfs\n' },
      confidence: 'certain',
    },
    'runc in another container': {
      evidence: { 'crio.log': refused("runc create failed: resulting devices cgroup doesn't match target mode") },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a filter of cgroup v2': {
      evidence: { 'crio.log': allow + refused('bpf_prog_query(BPF_CGROUP_DEVICE) failed: operation not permitted') },
      by: 'filter',
    },
  },
  asks: {
    'what the runtime says': {
      evidence: { 'crio.log': refused("runc create failed: resulting devices cgroup doesn't match target mode") },
      for: 'host-versions',
    },
  },
});
