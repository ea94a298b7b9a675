import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason   Age                From               Message
  ----     ------   ----               ----               -------
  Normal   Pulled   40s (x3 over 60s)  kubelet, plover-1  Container image "shop/till:4" already present on machine
  Warning  Failed   14s (x3 over 60s)  kubelet, plover-1  Error: ${message}
`;

testCause(cause, {
  finds: {
    'dockerd without its containerd': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch dockerd[46374]: Failed to start containerd: exec: "containerd": executable file not found in $PATH\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'the old shim is gone after an upgrade': {
      evidence: {
        'events.txt': events(
          'failed to create containerd task: failed to start shim: exec: "containerd-shim": executable file not found in $PATH: unknown',
        ),
      },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['events.txt:5'],
    },
    'the shim of today': {
      evidence: {
        'containerd.log':
          'Mar 04 08:10:55 plover-1 containerd[812]: time="2024-03-04T08:10:55Z" level=error msg="RunPodSandbox for &PodSandboxMetadata{Name:till-0,Uid:0b1c,Namespace:shop,Attempt:0,} failed, error" error="failed to create containerd task: failed to start shim: failed to resolve runtime path: runtime \\"io.containerd.runc.v2\\" binary not installed \\"containerd-shim-runc-v2\\": file does not exist: unknown"\n',
      },
      confidence: 'certain',
    },
    'runc is not there': {
      evidence: {
        'events.txt': events(
          'failed to create containerd task: failed to create shim task: OCI runtime create failed: unable to retrieve OCI runtime error (open /run/containerd/io.containerd.runtime.v2.task/k8s.io/5e6f/log.json: no such file or directory): exec: "runc": executable file not found in $PATH: unknown',
        ),
        'host.txt': '[root@plover-1 ~]# which runc\n/usr/bin/which: no runc in (/usr/sbin:/usr/bin)\n',
      },
      confidence: 'certain',
    },
    'runc of another machine': {
      evidence: {
        'docker.log':
          'Mar 04 08:10:55 plover-1 dockerd[812]: time="2024-03-04T08:10:55Z" level=error msg="Handler for POST /v1.43/containers/0b1c/start returned error: failed to create task for container: failed to create shim task: OCI runtime create failed: fork/exec /usr/local/sbin/runc: exec format error: unknown"\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a container that was to run runc itself': {
      evidence: {
        'events.txt': events(
          'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "runc": executable file not found in $PATH: unknown',
        ),
      },
      by: 'ofContainer',
    },
  },
  asks: {
    'what the host finds': {
      evidence: {
        'host.txt':
          '[root@plover-1 ~]# which containerd-shim-runc-v2\n/usr/bin/which: no containerd-shim-runc-v2 in (/usr/sbin:/usr/bin)\n',
      },
      for: 'pod-events',
    },
  },
});
