import type { Report } from '../../src/model/report.ts';
import { ask, cite, report, victim } from './build.ts';

export const undecidedReport: Report = report({
  verdict: 'undecided',
  undecided: [
    {
      says: 'something ends the container with SIGKILL, and nothing shown says who',
      victims: [
        victim('billing', 'api-7b6c5d9f8-4tkq2', 'crash-loop', [cite('describe.txt', 22, 'Exit Code:    137')], {
          detail: 'exit code 137',
          node: 'worker-3',
        }),
        victim('billing', 'api-7b6c5d9f8-x92lm', 'crash-loop', [cite('describe.txt', 81, 'Exit Code:    137')], {
          detail: 'exit code 137',
          node: 'worker-3',
        }),
      ],
      open: [
        { cause: 'memory-limit-too-low', name: 'Memory limit too low' },
        { cause: 'node-out-of-memory', name: 'Node out of memory' },
        { cause: 'liveness-probe-too-strict', name: 'Liveness probe too strict' },
        { cause: 'grace-period-too-short', name: 'Grace period too short' },
      ],
      asks: [
        ask(
          'whether the kernel killed it, and for whose limit',
          'sudo journalctl -k --since -2h | grep -iE "out of memory|oom-kill"',
          'worker-3',
          'kernel-log',
          ['memory-limit-too-low', 'node-out-of-memory'],
        ),
        ask(
          'whether a probe failed',
          'kubectl get events -n billing --field-selector involvedObject.name=api-7b6c5d9f8-4tkq2',
          'anywhere',
          'pod-events',
          ['liveness-probe-too-strict'],
        ),
        ask('its last words', 'kubectl logs -n billing api-7b6c5d9f8-4tkq2 --previous', 'anywhere', 'container-log', [
          'grace-period-too-short',
        ]),
      ],
    },
  ],
  ruledOut: [
    {
      cause: 'image-tag-missing',
      name: 'Image tag missing',
      place: 'pod billing/api-7b6c5d9f8-4tkq2',
      because: { says: 'the container started', cited: [cite('describe.txt', 20, 'Started: Tue, 03 Mar 2026 04:01:12 +0000')], looked: [] },
    },
  ],
  coverage: {
    documents: 1,
    lines: 120,
    bytes: 5_210,
    pods: 2,
    nodes: 1,
    redactions: 0,
    looked: [
      { channel: 'pod-status', about: 'billing/api-7b6c5d9f8-4tkq2', extent: 'whole', docs: ['describe.txt'] },
      { channel: 'pod-events', about: 'billing/api-7b6c5d9f8-4tkq2', extent: 'expired', docs: ['describe.txt'] },
    ],
    pieces: [{ doc: 'describe.txt', lines: [1, 120], what: 'kubectl describe pod' }],
    unrecognised: [],
    unread: [],
  },
});
