import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const waitLoop = 'sh\n      -c\n      until nslookup bill-db.pay.svc.cluster.local; do echo waiting for bill-db; sleep 2; done';

const describePod = (name: string, command: string) => `$ kubectl -n pay describe pod bill-6b7c8d9f54-x4kzq
Name:           bill-6b7c8d9f54-x4kzq
Namespace:      pay
Node:           worker-5/10.4.0.15
Status:         Pending
Controlled By:  ReplicaSet/bill-6b7c8d9f54
Init Containers:
  ${name}:
    Image:          busybox:1.36
    Command:
      ${command}
    State:          Running
      Started:      Mon, 03 Mar 2025 10:12:13 +0000
    Ready:          False
    Restart Count:  0
Containers:
  bill:
    Image:          registry.example/pay/bill:1.4
    State:          Waiting
      Reason:       PodInitializing
    Ready:          False
    Restart Count:  0
QoS Class:       BestEffort
Events:
  Type    Reason     Age   From               Message
  ----    ------     ----  ----               -------
  Normal  Scheduled  22m   default-scheduler  Successfully assigned pay/bill-6b7c8d9f54-x4kzq to worker-5
  Normal  Created    22m   kubelet            Created container ${name}
  Normal  Started    22m   kubelet            Started container ${name}
`;
const listing =
  '$ kubectl -n pay get pods\nNAME                     READY   STATUS     RESTARTS   AGE\nbill-6b7c8d9f54-x4kzq    0/1     Init:0/1   0          22m\n';
const log = (text: string) => `$ kubectl -n pay logs bill-6b7c8d9f54-x4kzq -c prepare\n${text}\n`;
const lookups = `Server:		10.96.0.10
Address:	10.96.0.10:53
** server can't find bill-db.pay.svc.cluster.local: NXDOMAIN
waiting for bill-db`;
const place = 'Deployment pay/bill';

testCause(cause, {
  finds: {
    'command and log': {
      evidence: { 'describe.txt': describePod('prepare', waitLoop), 'log.txt': log(lookups) },
      confidence: 'certain',
      place,
      cites: ['log.txt:5', 'describe.txt:9'],
      victims: 1,
    },
    'a listing and the log': {
      evidence: { 'pods.txt': listing, 'log.txt': log('Waiting for postgres...\npostgres:5432 - no response\nWaiting for postgres...') },
      confidence: 'certain',
      place,
    },
    'wait-for-it, by command and name': {
      evidence: { 'describe.txt': describePod('wait-for-cache', './wait-for-it.sh cache:6379 -t 0') },
      confidence: 'probable',
      place,
    },
    'the command alone': {
      evidence: { 'describe.txt': describePod('prepare', 'sh\n      -c\n      while ! nc -z bill-db 5432; do sleep 1; done') },
      confidence: 'possible',
      place,
    },
  },
  rulesOut: {
    'it fails': {
      evidence: {
        'pods.txt': `${listing}\n$ kubectl -n pay get pods\nNAME                     READY   STATUS       RESTARTS   AGE\nbill-6b7c8d9f54-x4kzq    0/1     Init:Error   3          25m\n`,
        'log.txt': log(lookups),
      },
      by: 'fails',
    },
    'long since running': {
      evidence: {
        'pods.txt': `${listing}\n$ kubectl -n pay get pods\nNAME                     READY   STATUS    RESTARTS   AGE\nbill-6b7c8d9f54-x4kzq    1/1     Running   0          3d\n`,
        'log.txt': log(lookups),
      },
      by: 'well',
    },
  },
  asks: {
    'the log of the init container, when it just hangs': {
      evidence: { 'describe.txt': describePod('prepare', '/usr/bin/prepare') },
      for: 'container-log',
    },
  },
});

describe('init-container-waits-by-design beside a fault of the runtime', () => {
  it('says nothing about an init container that hangs without waiting for anything', async () => {
    const { incidents } = await diagnose([{ name: 'describe.txt', text: describePod('install-cni', '/install') }], { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });

  it('names what it waits for', async () => {
    const { incidents } = await diagnose(
      [
        { name: 'describe.txt', text: describePod('prepare', waitLoop) },
        { name: 'log.txt', text: log(lookups) },
      ],
      { causes: [cause] },
    );
    expect(incidents[0]?.title).toBe('Init container prepare waits for bill-db.pay.svc.cluster.local, which does not answer');
  });
});
