import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause as dependency } from '../app-dependency-unreachable/cause.ts';
import { cause } from './cause.ts';

const listing = `$ kubectl -n pay get pods
NAME                     READY   STATUS             RESTARTS      AGE
bill-6b7c8d9f54-x4kzq    0/1     CrashLoopBackOff   5 (61s ago)   4m
`;

const backOff =
  '  Warning  BackOff    9s (x12 over 2m37s)  kubelet            Back-off restarting failed container bill in pod bill-6b7c8d9f54-x4kzq_pay(7c8fd1b1-5a8a-4f35-9b1e-0c7b9a2a7d15)\n';

const describePod = (
  events = backOff,
  last = '      Reason:       Error\n      Exit Code:    1',
  state = 'Waiting\n      Reason:       CrashLoopBackOff',
) => `$ kubectl -n pay describe pod bill-6b7c8d9f54-x4kzq
Name:           bill-6b7c8d9f54-x4kzq
Namespace:      pay
Node:           worker-5/10.4.0.15
Status:         Running
Controlled By:  ReplicaSet/bill-6b7c8d9f54
Containers:
  bill:
    Image:          registry.example/pay/bill:1.4
    State:          ${state}
    Last State:     Terminated
${last}
      Started:      Mon, 03 Mar 2025 10:12:13 +0000
      Finished:     Mon, 03 Mar 2025 10:12:15 +0000
    Ready:          False
    Restart Count:  5
QoS Class:       BestEffort
Events:
  Type     Reason     Age                  From               Message
  ----     ------     ----                 ----               -------
  Normal   Scheduled  2m40s                default-scheduler  Successfully assigned pay/bill-6b7c8d9f54-x4kzq to worker-5
  Normal   Started    61s (x5 over 2m39s)  kubelet            Started container bill
${events}`;

const log = (text: string) => `$ kubectl -n pay logs bill-6b7c8d9f54-x4kzq -c bill --previous\n${text}\n`;
const python = `Loading settings
Traceback (most recent call last):
  File "/srv/bill/main.py", line 12, in <module>
    key = os.environ["SIGNING_KEY"]
KeyError: 'SIGNING_KEY'`;
const place = 'container bill of Deployment pay/bill';

testCause(cause, {
  finds: {
    'exit code and last words': {
      evidence: { 'describe.txt': describePod(), 'log.txt': log(python) },
      confidence: 'probable',
      place,
      cites: ['describe.txt:13', 'log.txt:6'],
      victims: 1,
    },
    'the state alone': {
      evidence: { 'describe.txt': describePod() },
      confidence: 'possible',
      place,
    },
    'a wrong flag, said without the word error': {
      evidence: {
        'describe.txt': describePod(backOff, '      Reason:       Error\n      Exit Code:    2'),
        'log.txt': log('flag provided but not defined: -listen-addr\nUsage of /srv/bill:\n  -addr string'),
      },
      confidence: 'probable',
      place,
    },
    'a listing and the log': {
      evidence: { 'pods.txt': listing, 'log.txt': log('{"level":"fatal","msg":"cannot start","error":"SIGNING_KEY is not set"}') },
      confidence: 'possible',
      place,
    },
  },
  rulesOut: {
    'stopped by the kubelet': {
      evidence: {
        'describe.txt': describePod(`${backOff}  Normal   Killing    31s (x3 over 3m20s)   kubelet            Stopping container bill\n`),
        'log.txt': log(python),
      },
      by: 'killed',
    },
    'a liveness probe': {
      evidence: {
        'describe.txt': describePod(
          `${backOff}  Warning  Unhealthy  31s (x9 over 3m20s)   kubelet            Liveness probe failed: HTTP probe failed with statuscode: 500\n`,
        ),
        'log.txt': log(python),
      },
      by: 'probe',
    },
    'killed for memory': {
      evidence: { 'describe.txt': describePod(backOff, '      Reason:       OOMKilled\n      Exit Code:    137'), 'log.txt': log(python) },
      by: 'oom',
    },
    'the whole pod is stopped': {
      evidence: {
        'describe.txt': describePod(
          '  Normal   SandboxChanged  9s (x5 over 2m37s)  kubelet            Pod sandbox changed, it will be killed and re-created.\n  Normal   Killing    9s (x5 over 2m37s)  kubelet            Stopping container bill\n',
        ),
        'log.txt': log(python),
      },
      by: 'killed',
    },
    'the runtime cannot start it': {
      evidence: {
        'describe.txt': describePod(
          backOff,
          '      Reason:       Error\n      Exit Code:    1',
          'Waiting\n      Reason:       RunContainerError',
        ),
      },
      by: 'notRun',
    },
    'an init container fails': {
      evidence: { 'pods.txt': listing.replace('CrashLoopBackOff  ', 'Init:Error        '), 'log.txt': log(python) },
      by: 'notRun',
    },
    'a crash loop that ended days ago': {
      evidence: {
        'pods.txt': listing.replace('0/1     CrashLoopBackOff   5 (61s ago)   4m', '1/1     Running            5 (3d ago)    9d'),
        'log.txt': log(python),
      },
      by: 'over',
    },
    'a job that has finished': {
      evidence: {
        'pods.txt':
          '$ kubectl -n pay get pods\nNAME           READY   STATUS      RESTARTS   AGE\nsettle-5kq7x   0/1     Completed   0          3h\n',
        'log.txt': '$ kubectl -n pay logs settle-5kq7x\nERROR row 12: invalid amount, skipped\nsettled 411 of 412 rows\n',
      },
      by: 'well',
    },
  },
  asks: {
    'how it ended, with the log alone': { evidence: { 'log.txt': log(python) }, for: 'container.terminated' },
    'the log of the run before': { evidence: { 'describe.txt': describePod() }, for: 'container-log' },
  },
});

describe('app-exits-nonzero-at-start with a log alone', () => {
  it('leaves a lone log to the answer in its own words', async () => {
    const { incidents } = await diagnose([{ name: 'log.txt', text: log(python) }], { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });
});

describe('the words of app-exits-nonzero-at-start', () => {
  it('carries the last error of the program in the title', async () => {
    const documents = [
      { name: 'describe.txt', text: describePod() },
      { name: 'log.txt', text: log(python) },
    ];
    const { incidents } = await diagnose(documents, { causes: [cause] });
    expect(incidents[0]?.title).toBe("bill ends with an error of its own (exit code 1): KeyError: 'SIGNING_KEY'");
  });

  it('takes the message of the terminated state where there is no log', async () => {
    const last = '      Reason:       Error\n      Message:      reading settings\nfatal: SIGNING_KEY is not set\n      Exit Code:    78';
    const { incidents } = await diagnose([{ name: 'describe.txt', text: describePod(backOff, last) }], { causes: [cause] });
    expect(incidents[0]?.title).toBe('bill ends with an error of its own (exit code 78): fatal: SIGNING_KEY is not set');
  });

  it('quotes the complaint, not the usage text after it', async () => {
    const documents = [
      { name: 'describe.txt', text: describePod(backOff, '      Reason:       Error\n      Exit Code:    2') },
      { name: 'log.txt', text: log('flag provided but not defined: -listen-addr\nUsage of /srv/bill:\n  -addr string') },
    ];
    const { incidents } = await diagnose(documents, { causes: [cause] });
    expect(incidents[0]?.title).toBe('bill ends with an error of its own (exit code 2): flag provided but not defined: -listen-addr');
  });

  it('gives way to a cause that knows more', async () => {
    const documents = [
      { name: 'describe.txt', text: describePod() },
      { name: 'log.txt', text: log('FATAL cannot open database: dial tcp 10.96.14.3:5432: i/o timeout') },
    ];
    const { incidents } = await diagnose(documents, { causes: [cause, dependency] });
    expect(incidents.map((incident) => incident.cause)).toEqual([dependency.id]);
  });
});
