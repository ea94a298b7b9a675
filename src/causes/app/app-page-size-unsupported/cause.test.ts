import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `$ kubectl get pods -n logs
NAME            READY   STATUS             RESTARTS      AGE
shipper-4kq2m   ${status}
`;
const log = (text: string) => `$ kubectl logs -n logs shipper-4kq2m -c shipper --previous\n${text}\n`;
const node = `$ kubectl describe node elm-1
Name:               elm-1
System Info:
  Kernel Version:             5.14.0-427.el9.aarch64+64k
  Architecture:               arm64
  Kubelet Version:            v1.29.6
`;

testCause(cause, {
  finds: {
    'jemalloc refuses': {
      evidence: {
        'pods.txt': pods('0/1     CrashLoopBackOff   7 (20s ago)   12m'),
        'log.txt': log('<jemalloc>: Unsupported system page size'),
      },
      confidence: 'certain',
      cites: ['log.txt:2'],
    },
    'the loader refuses, and the node is known': {
      evidence: {
        'log.txt': log('/app/shipper: error while loading shared libraries: libfast.so.1: ELF load command alignment not page-aligned'),
        'node.txt': node,
        'pods.txt': `$ kubectl get pods -n logs -o wide
NAME            READY   STATUS             RESTARTS      AGE   IP          NODE    NOMINATED NODE   READINESS GATES
shipper-4kq2m   0/1     CrashLoopBackOff   7 (20s ago)   12m   10.4.1.9    elm-1   <none>           <none>
`,
      },
      confidence: 'certain',
      cites: ['log.txt:2', 'node.txt:5'],
    },
  },
  rulesOut: {
    'it runs by now': {
      evidence: {
        'pods.txt': pods('1/1     Running            2 (3d ago)    9d'),
        'log.txt': log('<jemalloc>: Unsupported system page size'),
      },
      by: 'over',
    },
  },
  asks: {
    'the line alone: does it run by now': { evidence: { 'log.txt': log('<jemalloc>: Unsupported system page size') }, for: 'pod-status' },
  },
});
