import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readText } from './test-support.ts';

const SAMPLES: readonly string[] = [
  `NAMESPACE   NAME      READY   STATUS             RESTARTS       AGE   IP         NODE       NOMINATED NODE   READINESS GATES
shop        cart-1    0/2     CrashLoopBackOff   17 (2m9s ago)  57m   10.1.1.1   worker-1   <none>           <none>
shop        cart-2    1/1     Running            0              3y4d  <none>     <none>     <none>           <none>`,
  'NAME STATUS ROLES AGE VERSION\nworker-1 NotReady,SchedulingDisabled <none> 4d v1.30.1',
  'NAME   STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE\ndata   Pending                                      慢速           4m',
  'LAST SEEN   TYPE      REASON    OBJECT      MESSAGE\n5m (x3 over 9m)   Warning   BackOff   pod/web-0   Back-off restarting failed container\n第二行',
  `Name:         cart-1
Namespace:    shop
Node:         worker-1/10.0.0.1
Status:       Terminating (lasts 5m)
Containers:
  web:
    Container ID:  containerd://${'ab'.repeat(32)}
    Image:         cart:7
    Command:
      sh
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Message:      panic
      Exit Code:    1
      Started:      Tue, 05 Mar 2024 09:10:00 +0800
    Limits:
      memory:  256Mi
    Liveness:   http-get http://:80/ delay=0s timeout=1s period=10s #success=1 #failure=3
Conditions:
  Type    Status
  Ready   False
Volumes:
  data:
    Type:  HostPath (bare)
    Path:  /x
Tolerations:     <none>
Events:
  Type     Reason   Age                From               Message
  ----     ------   ----               ----               -------
  Warning  Failed   7s (x3 over 31s)   kubelet, worker-1  Error: ErrImagePull
more of it`,
  `Name:               worker-4
Roles:              <none>
Taints:             a=b:NoSchedule
Conditions:
  Type    Status  LastHeartbeatTime                 LastTransitionTime                Reason        Message
  Ready   True    Wed, 06 Mar 2024 08:59:00 +0800   Tue, 05 Mar 2024 09:00:00 +0800   KubeletReady  fine
System Info:
  Kernel Version:  6.1
Events:              <none>`,
  'Name:      web\nNamespace: shop\nReplicas:  3 desired | 3 updated | 3 total | 3 available | 0 unavailable\nStrategyType: Recreate\nEvents: <none>',
  'NAME       CPU(cores)   CPU%   MEMORY(bytes)   MEMORY%\nworker-1   120m         6%     2277Mi          49%',
  'LAST   TYPE      REASON    OBJ     MSG\n5m     Warning   BackOff   web-1   Back-off restarting failed container',
  'NAME        STATUS      MESSAGE   ERROR\nscheduler   Unhealthy   Get "http://127.0.0.1:10251/healthz": refused',
  'The connection to the server 10.1.1.5:6443 was refused - did you specify the right host or port?\nError from server (NotFound): pods "x" not found\nThe Pod "web" is invalid: \n* spec.x: Forbidden',
  'Waiting for deployment "web" rollout to finish: 1 out of 3 new replicas have been updated...',
  'FirstSeen LastSeen Count From SubobjectPath Type Reason Message\n3h 2m 41 {kubelet m-1} spec.containers{x} Warning FailedMount no',
];

const NASTY = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\t',
  ':',
  '> ',
  '| ',
  '...',
  '\u3000',
  '慢',
  '\u00a0',
  '\r',
  '<none>',
  'Events:',
  'Name:',
  'Containers:',
  '0/1',
  '(x',
  '{',
  '__proto__:',
  'Message:',
  '\u{1f600}',
  '-',
);

interface Change {
  readonly at: number;
  readonly drop: number;
  readonly put: string;
}

const CHANGE: fc.Arbitrary<Change> = fc.record({ at: fc.nat(2000), drop: fc.nat(12), put: fc.oneof(NASTY, fc.string({ maxLength: 8 })) });

function mutate(text: string, changes: readonly Change[]): string {
  return changes.reduce((changed, { at, drop, put }) => {
    const start = changed.length === 0 ? 0 : at % changed.length;
    return changed.slice(0, start) + put + changed.slice(start + drop);
  }, text);
}

function checkSound(text: string): void {
  const count = text.split('\n').length;
  for (const command of [undefined, 'kubectl describe pod cart-1', 'kubectl get pods', 'kubectl describe node | grep x']) {
    const read = readText(text, command === undefined ? {} : { command });
    const places = [
      ...read.facts.flatMap(({ cited }) => cited.map(({ at }) => at.lines)),
      ...read.pieces.map(({ lines }) => lines),
      ...read.coverage.map(({ lines }) => lines),
    ];
    for (const lines of places) {
      expect(lines?.[0]).toBeGreaterThanOrEqual(1);
      expect(lines?.[1]).toBeLessThanOrEqual(count);
      expect(lines?.[0]).toBeLessThanOrEqual(lines?.[1] ?? 0);
    }
  }
}

describe('strange text', () => {
  it('never throws on damaged output and cites only lines there are', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SAMPLES), fc.array(CHANGE, { maxLength: 12 }), (sample, changes) =>
        checkSound(mutate(sample, changes)),
      ),
      { numRuns: 400 },
    );
  });

  it('never throws on shuffled lines of everything', () => {
    const all = SAMPLES.flatMap((sample) => sample.split('\n'));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...all), { maxLength: 60 }), (lines) => checkSound(lines.join('\n'))),
      { numRuns: 200 },
    );
  });

  it('never throws on garbage', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(NASTY, fc.string({ unit: 'grapheme' })), { maxLength: 40 }), (parts) => checkSound(parts.join(''))),
      { numRuns: 200 },
    );
  });

  it('reads half of a sample no worse for what follows it', () => {
    for (const sample of SAMPLES) for (let end = 0; end <= sample.length; end += 7) checkSound(sample.slice(0, end));
  });

  it('takes little time for long lines and long runs', () => {
    const started = performance.now();
    const wide = ' '.repeat(200_000);
    checkSound(
      [`NAME${wide}READY`, `Name:${wide}x`, `Normal${wide}Pulled 5m`, `a${wide}1/1${wide}Running`, 'x'.repeat(500_000)].join('\n'),
    );
    readText(Array.from({ length: 20_000 }, (_, index) => (index % 3 === 0 ? '    State: Waiting' : '      Message: more')).join('\n'));
    readText(['Events:', '  Type Reason Age From Message', ...Array.from({ length: 20_000 }, () => 'neither row nor blank')].join('\n'));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
