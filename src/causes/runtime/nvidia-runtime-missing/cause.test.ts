import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (reason: string, message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  9m                 default-scheduler  Successfully assigned ml/train-0 to gpu-2
  Warning  ${reason}     9s (x31 over 5m)   kubelet            ${message}
`;
const found = (message: string, reason = 'Failed') =>
  ({
    evidence: { 'events.txt': events(reason, message) },
    confidence: 'certain',
    place: 'node gpu-2',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const cli = (error: string) =>
  `Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error running hook #0: error running hook: exit status 1, stdout: , stderr: Auto-detected mode as 'legacy' nvidia-container-cli: ${error}: unknown`;
const pods = `NAMESPACE   NAME      READY   STATUS             RESTARTS      AGE   IP         NODE
ml          train-0   0/1     CrashLoopBackOff   6 (1m ago)    9m    10.0.0.7   gpu-2
`;

testCause(cause, {
  finds: {
    'a driver older than the CUDA of the image': found(
      cli(
        'requirement error: unsatisfied condition: cuda>=12.8, please update your driver to a newer version, or use an earlier cuda container',
      ),
    ),
    'a plugin of the first years': {
      evidence: {
        'log.txt':
          '$ kubectl logs -n kube-system nvidia-device-plugin-daemonset-x7x2v\n2025/03/04 08:10:57 Loading NVML\n2025/03/04 08:10:57 Failed to start nvml with error: could not load NVML library.\n',
      },
      confidence: 'possible',
    },
    'no module for the new kernel': {
      evidence: {
        'gpu-2.txt':
          '[root@gpu-2 ~]# modprobe nvidia\nmodprobe: FATAL: Module nvidia not found in directory /lib/modules/5.15.0-101-generic\n',
      },
      confidence: 'certain',
    },
    'a module that secure boot does not take': {
      evidence: {
        'gpu-2.txt': "[root@gpu-2 ~]# modprobe nvidia\nmodprobe: ERROR: could not insert 'nvidia': Required key not available\n",
      },
      confidence: 'certain',
    },
    'a driver that was upgraded under the loaded module': {
      evidence: {
        'dmesg.txt':
          '[  412.220111] NVRM: API mismatch: the client has the version 535.183.01, but\n[  412.220112] NVRM: this kernel module has the version 535.161.07.  Please\n',
      },
      confidence: 'certain',
    },
    'no driver': found(cli('initialization error: nvml error: driver not loaded')),
    'the validator finds no driver': {
      evidence: {
        'validator.log':
          "$ kubectl -n gpu-operator logs nvidia-operator-validator-q2w4z -c driver-validation\nrunning command chroot with args [/run/nvidia/driver nvidia-smi]\nchroot: failed to run command 'nvidia-smi': No such file or directory\ncommand failed, retrying after 5 seconds\n",
      },
      confidence: 'certain',
    },
    'no driver library': found(
      cli('initialization error: load library failed: libnvidia-ml.so.1: cannot open shared object file: no such file or directory'),
    ),
    'a driver too old': found(
      cli(
        'requirement error: unsatisfied condition: cuda>=12.2, please update your driver to a newer version, or use an earlier cuda container',
      ),
    ),
    'no toolkit': found(
      'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: unable to retrieve OCI runtime error (open /run/x/log.json: no such file or directory): exec: "nvidia-container-runtime": executable file not found in $PATH: unknown',
    ),
    'no handler': found(
      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "nvidia" is configured',
      'FailedCreatePodSandBox',
    ),
    Docker: found('Error: Error response from daemon: could not select device driver "" with capabilities: [[gpu]]'),
    'a program that finds no driver': {
      evidence: {
        'pods.txt': pods,
        'log.txt':
          '$ kubectl -n ml logs train-0\nRuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU\n',
      },
      confidence: 'possible',
      place: 'node gpu-2',
    },
    'versions do not match': {
      evidence: { 'gpu-2.txt': '[root@gpu-2 ~]# nvidia-smi\nFailed to initialize NVML: Driver/library version mismatch\n' },
      confidence: 'certain',
      place: 'node gpu-2',
    },
  },
  rulesOut: {
    'taken away from a running pod': {
      evidence: {
        'pods.txt': pods,
        'log.txt':
          '$ kubectl -n ml logs train-0\nFailed to initialize NVML: Unknown Error\nRuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU\n',
      },
      by: 'takenAway',
    },
    'the card is lost': {
      evidence: {
        'events.txt': events('Failed', cli('detection error: nvml error: GPU is lost')),
      },
      by: 'gpuFault',
    },
  },
  asks: {
    'what the program says': {
      evidence: { 'events.txt': events('Failed', cli('initialization error: nvml error: driver not loaded')) },
      for: 'container-log',
    },
  },
});
