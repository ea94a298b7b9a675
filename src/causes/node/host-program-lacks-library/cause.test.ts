import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = (message: string) => `LAST SEEN   TYPE      REASON                   OBJECT      MESSAGE
12s         Warning   FailedCreatePodSandBox   pod/web-0   ${message}
`;
const sandbox =
  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create containerd task: failed to create shim task: OCI runtime create failed: unable to retrieve OCI runtime error (open /run/containerd/io.containerd.runtime.v2.task/k8s.io/4a5e/log.json: no such file or directory): ';

testCause(cause, {
  finds: {
    'runc with status 127': {
      evidence: { 'events.txt': event(`${sandbox}runc did not terminate successfully: exit status 127: unknown`) },
      confidence: 'certain',
    },
    'an early docker': {
      evidence: { 'events.txt': event(`${sandbox}runc did not terminate sucessfully: unknown`) },
      confidence: 'possible',
    },
    'a kubelet for a newer system': {
      evidence: {
        'journal.txt':
          "Mar 04 08:10:57 birch kubelet[1234]: /usr/bin/kubelet: /lib64/libc.so.6: version `GLIBC_2.34' not found (required by /usr/bin/kubelet)\n",
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'by hand': {
      evidence: {
        'terminal.txt':
          '[root@birch ~]# runc --version\nrunc: error while loading shared libraries: libseccomp.so.2: cannot open shared object file: No such file or directory\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it was killed': {
      evidence: {
        'events.txt': event(`${sandbox}runc did not terminate sucessfully: unknown`),
        'containerd.log':
          'Mar 04 08:10:57 birch containerd[904]: time="2025-03-04T08:10:57Z" level=error msg="RunPodSandbox failed" error="runc did not terminate successfully: signal: killed: unknown"\n',
      },
      by: 'killed',
    },
    'there is no runc': {
      evidence: {
        'events.txt': `${event(`${sandbox}runc did not terminate sucessfully: unknown`)}3s          Warning   FailedCreatePodSandBox   pod/web-0   ${sandbox}exec: "runc": executable file not found in $PATH: unknown\n`,
      },
      by: 'absent',
    },
  },
  asks: {
    'what runc says by hand': {
      evidence: { 'events.txt': event(`${sandbox}runc did not terminate sucessfully: unknown`) },
      for: 'host-tools',
    },
  },
});
