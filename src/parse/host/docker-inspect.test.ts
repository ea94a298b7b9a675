import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

const ID = 'd0cce7'.padEnd(64, '0');
const UID = '5b0f3c1a-7e2d-4f6b-8a9c-0d1e2f3a4b5c';

function inspected(state: object, name = `/k8s_web_store-7wq2x_shop_${UID}_2`) {
  return JSON.stringify([{ Id: ID, Created: '2025-03-04T09:59:00Z', Path: '/run.sh', Args: [], State: state, Name: name }], null, 4);
}

describe('docker inspect', () => {
  it('tells an ended container', () => {
    const state = {
      Status: 'exited',
      OOMKilled: true,
      ExitCode: 137,
      Error: 'cannot start',
      StartedAt: '2025-03-04T10:00:00Z',
      FinishedAt: '2025-03-04T10:01:00Z',
    };
    const heard = hear(inspected(state));
    expect(told(heard, 'container.terminated')).toMatchObject([
      { about: 'Container/shop/store-7wq2x/web', exitCode: 137, reason: 'OOMKilled', ranSeconds: 60 },
    ]);
    expect(told(heard, 'container.runtime-state')).toMatchObject([{ state: 'exited', by: 'docker', attempt: 2 }]);
    expect(heard.sayings).toMatchObject([{ text: 'cannot start', level: 'error' }]);
  });

  it('reads the state alone when the command names the container', () => {
    const text = '        "State": {\n            "Status": "running",\n            "Pid": 4711,\n            "ExitCode": 0\n        },';
    expect(told(hear(text, { command: 'docker inspect 3fa1b2c4d5e6' }), 'container.runtime-state')).toMatchObject([
      { about: 'cid:3fa1b2c4d5e6', state: 'running' },
    ]);
    expect(hear(text).facts).toEqual([]);
  });

  it('takes the sandbox for a sandbox', () => {
    const heard = hear(inspected({ Status: 'running' }, `/k8s_POD_store-7wq2x_shop_${UID}_0`));
    expect(heard.facts).toEqual([]);
    expect(heard.edges).toContainEqual({ type: 'alias', alias: `sandbox:${ID}`, entity: 'Pod/shop/store-7wq2x' });
  });
});
