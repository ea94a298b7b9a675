import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = `Name:           ingest-0
Namespace:      data
Node:           pine-4/10.9.0.14
Status:         Running
Controlled By:  StatefulSet/ingest
Containers:
  ingest:
    Image:          registry.example/data/ingest:3
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    1
    Ready:          False
    Restart Count:  4
Events:
  Type     Reason   Age               From     Message
  ----     ------   ----              ----     -------
  Warning  BackOff  9s (x9 over 2m)   kubelet  Back-off restarting failed container
`;
const log = (text: string) => `$ kubectl -n data logs ingest-0 -c ingest --previous\n${text}\n`;

testCause(cause, {
  finds: {
    Elasticsearch: {
      evidence: {
        'describe.txt': described,
        'log.txt': log(
          '[1]: max file descriptors [4096] for elasticsearch process is too low, increase to at least [65535]\nMax open files            1024                 524288               files',
        ),
      },
      confidence: 'certain',
    },
    Go: {
      evidence: {
        'describe.txt': described,
        'log.txt': log('http: Accept error: accept tcp [::]:8080: accept4: too many open files; retrying in 1s'),
      },
      confidence: 'certain',
      place: 'container ingest of StatefulSet data/ingest',
      cites: ['log.txt:2'],
      victims: 1,
    },
    'Node.js and Python': {
      evidence: { 'log.txt': log("Error: EMFILE: too many open files, open '/data/a'\nOSError: [Errno 24] Too many open files: 'b'") },
      confidence: 'probable',
    },
    'haproxy with an infinite limit': {
      evidence: { 'log.txt': log('[ALERT] 100/120000 (1) : Not enough memory to allocate 1073741816 entries for fdtab!') },
      confidence: 'possible',
    },
  },
  rulesOut: {
    inotify: {
      evidence: { 'log.txt': log('open /etc/x: too many open files\nfailed to create fsnotify watcher: too many open files') },
      by: 'watcher',
    },
    well: {
      evidence: {
        'pods.txt': 'NAMESPACE   NAME       READY   STATUS    RESTARTS   AGE\ndata        ingest-0   1/1     Running   0          6m\n',
        'log.txt': log('accept4: too many open files'),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt': 'NAMESPACE   NAME       READY   STATUS    RESTARTS     AGE\ndata        ingest-0   1/1     Running   3 (7d ago)   9d\n',
        'log.txt': log('accept4: too many open files'),
      },
      by: 'over',
    },
  },
  asks: { 'the limits of the host': { evidence: { 'log.txt': log('accept4: too many open files') }, for: 'host-state' } },
});
