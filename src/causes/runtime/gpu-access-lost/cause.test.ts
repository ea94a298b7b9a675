import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const smi = '$ kubectl exec -it trainer-0 -n lab -- nvidia-smi\nFailed to initialize NVML: Unknown Error\n';
const rules = 'root@trainer-0:/# cat /sys/fs/cgroup/devices/devices.list\nc 1:5 rwm\nc 195:* m\nc 507:* m\n';

testCause(cause, {
  finds: {
    'nvidia-smi in a pod': { evidence: { 'terminal.txt': smi }, confidence: 'possible' },
    'a program in a running pod': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME      READY   STATUS             RESTARTS     AGE   IP         NODE\nml          train-0   0/1     CrashLoopBackOff   6 (1m ago)   3d    10.0.0.7   gpu-2\n',
        'log.txt':
          '$ kubectl -n ml logs train-0\nFailed to initialize NVML: Unknown Error\nRuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU\n',
      },
      confidence: 'possible',
      place: 'node gpu-2',
    },
    'with the rules of the container': { evidence: { 'terminal.txt': smi + rules }, confidence: 'certain' },
  },
  rulesOut: {
    'the GPU itself is gone': {
      evidence: {
        'terminal.txt': smi,
        'kernel.txt': 'Mar 04 08:10:57 elm-3 kernel: NVRM: Xid (PCI:0000:a1:00): 79, pid=1201, name=python, GPU has fallen off the bus.\n',
      },
      by: 'faulty',
    },
  },
  asks: { 'the rules of the container': { evidence: { 'terminal.txt': smi }, for: 'host-tools' } },
});
