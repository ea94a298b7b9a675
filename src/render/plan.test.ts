import { describe, expect, it } from 'vitest';
import type { FixOutcome, PlanView } from '../model/plan-view.ts';
import { renderOutcome, renderPlan } from './plan.ts';

const options = { width: 80, color: false, unicode: true, verbose: false };

const plan: PlanView = {
  version: 1,
  id: '20260301-120000-ab12',
  title: 'Set containerd on worker-2 to the systemd cgroup driver',
  cause: 'cgroup-driver',
  place: 'node worker-2',
  risk: 'touches-node',
  steps: [
    {
      where: 'worker-2',
      on: 'host',
      says: 'edit /etc/containerd/config.toml',
      risk: 'touches-node',
      diff: ['--- /etc/containerd/config.toml', '+++ /etc/containerd/config.toml', '-  SystemdCgroup = false', '+  SystemdCgroup = true'],
      undo: 'put back /etc/containerd/config.toml from the backup, byte for byte',
      notes: [],
    },
  ],
  byHand: [],
  affected: ['worker-2 runs 12 pods; they may restart'],
  belongs: [],
  warnings: ['worker-2: \u001b[2Jdocker runs there too'],
  refused: [],
  verified: 'nothing restarts for 10 minutes',
  next: 'podcause fix --apply',
};

describe('renderPlan', () => {
  it('shows the difference, the risk, who is hit, the way back and the proof', () => {
    expect(renderPlan(plan, options)).toMatchInlineSnapshot(`
      "Set containerd on worker-2 to the systemd cgroup driver
        node worker-2 · cgroup-driver · risk: changes the node

        careful  worker-2: docker runs there too

        1        edit /etc/containerd/config.toml  worker-2
                 --- /etc/containerd/config.toml
                 +++ /etc/containerd/config.toml
                 -  SystemdCgroup = false
                 +  SystemdCgroup = true
                 risk: changes the node
                 undo: put back /etc/containerd/config.toml from the backup, byte for
                 byte

        hits     worker-2 runs 12 pods; they may restart

        proof    nothing restarts for 10 minutes

        do it    Nothing was changed.
                 podcause fix --apply
      "
    `);
  });

  it('is safe for a terminal, and fits it', () => {
    const narrow = renderPlan(plan, { ...options, width: 44 });
    expect(narrow).not.toContain('\u001b');
    expect(renderPlan(plan, { ...options, color: true })).not.toContain('\u001b[2J');
  });
});

describe('renderOutcome', () => {
  it('has the word first, then before and after', () => {
    const outcome: FixOutcome = {
      version: 1,
      id: plan.id,
      outcome: 'fixed',
      says: 'kubelet and containerd agree on systemd; nothing of it for 600 s',
      steps: [{ where: 'worker-2', says: 'edit /etc/containerd/config.toml', state: 'done' }],
      changed: [{ what: 'shop/web-0', before: 'CrashLoopBackOff', after: 'Running, no restart since' }],
      next: `podcause undo ${plan.id} --apply`,
    };
    expect(renderOutcome(outcome, options)).toMatchInlineSnapshot(`
      "✓ FIXED kubelet and containerd agree on systemd; nothing of it for 600 s

        steps    done        edit /etc/containerd/config.toml worker-2

        changed  shop/web-0  CrashLoopBackOff → Running, no restart since

        undo     podcause undo 20260301-120000-ab12 --apply
      "
    `);
  });
});
