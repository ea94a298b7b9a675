import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = `$ kubectl -n bi get pods
NAME                       READY   STATUS             RESTARTS      AGE
report-6b7c8d9f54-x4kzq    0/1     CrashLoopBackOff   5 (61s ago)   4h
`;

const describe = `$ kubectl -n bi describe pod report-6b7c8d9f54-x4kzq
Name:           report-6b7c8d9f54-x4kzq
Namespace:      bi
Node:           worker-5/10.4.0.15
Status:         Running
Controlled By:  ReplicaSet/report-6b7c8d9f54
Containers:
  report:
    Image:          registry.example/bi/report:1.4
    Command:
      java
      -Xmx256m
      -jar
      /srv/report.jar
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       REASON
      Exit Code:    EXIT
    Ready:          False
    Restart Count:  5
    Limits:
      memory:  2Gi
QoS Class:       Burstable
Events:          <none>
`;
const failing = describe.replace('REASON', 'Error').replace('EXIT', '3');

const log = (text: string) => `$ kubectl -n bi logs report-6b7c8d9f54-x4kzq -c report --previous\n${text}\n`;
const java = 'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space\n\tat bi.Report.load(Report.java:41)';
const place = 'container report of Deployment bi/report';

testCause(cause, {
  finds: {
    'Java gets no memory': {
      evidence: {
        'describe.txt': failing,
        'log.txt': log(
          "OpenJDK 64-Bit Server VM warning: INFO: os::commit_memory(0x00000000d5580000, 715653120, 0) failed; error='Not enough space' (errno=12)",
        ),
      },
      confidence: 'certain',
      place,
    },
    'Go gets no memory': {
      evidence: { 'describe.txt': failing, 'log.txt': log('fatal error: runtime: out of memory') },
      confidence: 'certain',
      place,
    },
    '.NET cannot reserve its heap': {
      evidence: {
        'describe.txt': failing,
        'log.txt': log('GC heap initialization failed with error 0x8007000E\nFailed to create CoreCLR, HRESULT: 0x8007000E'),
      },
      confidence: 'certain',
      place,
    },
    'Java with the heap it chose itself': {
      evidence: { 'describe.txt': failing.replace(/-Xmx\S+/, '-server'), 'log.txt': log(java) },
      confidence: 'certain',
      place,
    },
    'Java with a small -Xmx': {
      evidence: { 'describe.txt': failing, 'log.txt': log(java) },
      confidence: 'certain',
      place,
      cites: ['log.txt:2', 'describe.txt:23', 'describe.txt:9'],
    },
    Node: {
      evidence: {
        'pods.txt': listing,
        'log.txt': log('FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'),
      },
      confidence: 'certain',
      place,
      cites: ['log.txt:2'],
    },
    'a heap that cannot be had': {
      evidence: {
        'pods.txt': listing,
        'log.txt': log('Error occurred during initialization of VM\nCould not reserve enough space for 4194304KB object heap'),
      },
      confidence: 'certain',
      place,
    },
  },
  rulesOut: {
    'killed at the limit': {
      evidence: { 'describe.txt': describe.replace('REASON', 'OOMKilled').replace('EXIT', '137'), 'log.txt': log(java) },
      by: 'killed',
    },
    'no more threads': {
      evidence: {
        'pods.txt': listing,
        'log.txt': log(
          `java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached\n${java}`,
        ),
      },
      by: 'threads',
    },
    'a healthy pod': {
      evidence: {
        'pods.txt': listing.replace('0/1     CrashLoopBackOff   5 (61s ago)   4h', '1/1     Running            0             4h'),
        'log.txt': log(java),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt': listing.replace('0/1     CrashLoopBackOff   5 (61s ago)   4h', '1/1     Running            1 (9d ago)    9d'),
        'log.txt': log(java),
      },
      by: 'over',
    },
  },
  asks: {
    'limit and flags': { evidence: { 'pods.txt': listing, 'log.txt': log(java) }, for: 'container.memory-limit' },
  },
});
