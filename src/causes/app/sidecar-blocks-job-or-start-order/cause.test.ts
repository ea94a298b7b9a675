import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (mainState: string, ready = 'False') => `Name:           report-x7k2p
Namespace:      batch
Node:           oak-2/10.1.0.12
Status:         Running
Controlled By:  Job/report
Containers:
  run:
    Image:          registry.example/batch/report:7
${mainState}    Ready:          ${ready}
    Restart Count:  0
  istio-proxy:
    Image:          docker.io/istio/proxyv2:1.22.1
    State:          Running
      Started:      Mon, 02 Nov 2026 08:00:00 +0000
    Ready:          True
    Restart Count:  0
Events:          <none>
`;
const done = described(`    State:          Terminated
      Reason:       Completed
      Exit Code:    0
      Started:      Mon, 02 Nov 2026 08:00:02 +0000
      Finished:     Mon, 02 Nov 2026 08:03:02 +0000
`);
const crashed = described(`    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    1
`);
const pods = 'NAMESPACE   NAME           READY   STATUS     RESTARTS   AGE\nbatch       report-x7k2p   1/2     NotReady   0          44m\n';
const log = (text: string) => `$ kubectl -n batch logs report-x7k2p -c run\n${text}\n`;

testCause(cause, {
  finds: {
    'the job is done, the proxy is not': {
      evidence: { 'pods.txt': pods, 'describe.txt': done },
      confidence: 'probable',
      place: 'pod batch/report-x7k2p',
      cites: ['pods.txt:2'],
      victims: 1,
    },
    'a listing': { evidence: { 'pods.txt': pods }, confidence: 'possible' },
    'the proxy is not up yet': {
      evidence: {
        'describe.txt': crashed,
        'log.txt': log(
          'dial tcp 127.0.0.1:15001: connect: connection refused\nEnvoy proxy is NOT ready: config not received from XDS server (is Istiod running?)',
        ),
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'the main container runs': {
      evidence: {
        'pods.txt': pods,
        'describe.txt': described('    State:          Running\n      Started:      Mon, 02 Nov 2026 08:00:00 +0000\n', 'True'),
      },
      by: 'mainRuns',
    },
    'it is told to end': {
      evidence: { 'pods.txt': pods, 'log.txt': log('POST http://127.0.0.1:15020/quitquitquit') },
      by: 'quit',
    },
    'nothing suffers': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME           READY   STATUS    RESTARTS   AGE\nbatch       report-x7k2p   2/2     Running   0          44m\n',
        'log.txt': log('dial tcp 127.0.0.1:15001: connect: connection refused'),
      },
      by: 'trouble',
    },
  },
  asks: { 'which container runs': { evidence: { 'pods.txt': pods }, for: 'pod-spec' } },
});

describe('sidecar-blocks-job-or-start-order and other local ports', () => {
  it.each([
    'The connection to the server localhost:8080 was refused - did you specify the right host or port?',
    'Get "http://localhost:10248/healthz": dial tcp 127.0.0.1:10248: connect: connection refused',
  ])('does not speak of: %s', async (text) => {
    const { incidents } = await diagnose([{ name: 'paste.txt', text: `${text}\n` }], { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });
});
