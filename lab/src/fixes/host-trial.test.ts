import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { HostPlan } from '../../../src/fix/host/index.ts';
import { newTextOf, withNewText } from './host-trial.ts';

const old = 'version = 2\n# gr\u00fcn\n';
const plan: HostPlan = {
  node: 'worker-a',
  steps: [
    {
      kind: 'edit',
      path: '/etc/containerd/config.toml',
      shaBefore: '',
      shaAfter: '',
      splices: [{ from: 0, to: 0, text: '# right\n' }],
      bytesBefore: Buffer.byteLength(old),
      diff: [],
      check: 'true',
    },
    { kind: 'units', action: 'restart', units: ['containerd'] },
  ],
  refused: [],
  warnings: [],
  health: { containerdSocket: '', kubeletConfig: '' },
};

describe('withNewText', () => {
  it('gives the file other bytes, and leaves the check and the other steps alone', () => {
    expect(newTextOf(plan, old)).toBe(`# right\n${old}`);
    const spoilt = withNewText(plan, old, 'wrong\n');
    expect(newTextOf(spoilt, old)).toBe('wrong\n');
    expect(spoilt.steps[0]).toMatchObject({ check: 'true', shaAfter: createHash('sha256').update('wrong\n').digest('hex') });
    expect(spoilt.steps[1]).toBe(plan.steps[1]);
  });
});
