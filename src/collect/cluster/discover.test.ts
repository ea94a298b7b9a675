import { describe, expect, it } from 'vitest';
import { discover } from './discover.ts';
import { ClusterError, type ClusterPort } from './port.ts';

function answering(answers: Readonly<Record<string, unknown>>): ClusterPort {
  return {
    server: 'https://cluster.test',
    context: undefined,
    namespace: 'default',
    counted: { requests: 0, retries: 0, bytes: 0 },
    async request({ path }) {
      const answer = answers[path];
      if (answer instanceof ClusterError) throw answer;
      return { status: 200, contentType: 'application/json', body: Buffer.from(JSON.stringify(answer)), cut: false, date: 1000 };
    },
    async *pages() {},
    close() {},
  };
}

const served = (...versions: string[]) => ({ groups: [{ versions: versions.map((groupVersion) => ({ groupVersion })) }] });

describe('what a server serves', () => {
  it('an old one is asked for the versions it has', async () => {
    const apis = await discover(
      answering({ '/version': { gitVersion: 'v1.20.15' }, '/apis': served('batch/v1', 'batch/v1beta1', 'discovery.k8s.io/v1beta1') }),
    );
    expect(apis.serverVersion).toBe('v1.20.15');
    expect(apis.firstOf(['discovery.k8s.io/v1', 'discovery.k8s.io/v1beta1'])).toBe('discovery.k8s.io/v1beta1');
    expect(apis.firstOf(['policy/v1', 'policy/v1beta1'])).toBeUndefined();
    expect(apis.firstOf(['v1'])).toBe('v1');
  });

  it('one that may not tell is taken to have the newest', async () => {
    const forbidden = new ClusterError('forbidden', 'no');
    const apis = await discover(answering({ '/version': forbidden, '/apis': forbidden }));
    expect(apis.serverVersion).toBeUndefined();
    expect(apis.firstOf(['policy/v1', 'policy/v1beta1'])).toBe('policy/v1');
  });

  it('one that does not answer is an error', async () => {
    const dead = new ClusterError('unreachable', 'nobody there');
    await expect(discover(answering({ '/version': dead, '/apis': dead }))).rejects.toThrow('nobody there');
  });

  it.each([null, 'x', 7, [], { groups: 'x' }, { groups: [null, { versions: [{ groupVersion: 7 }] }] }])(
    'strange answers are survived: %j',
    async (answer) => {
      const apis = await discover(answering({ '/version': answer, '/apis': answer }));
      expect(apis.firstOf(['v1'])).toBe('v1');
    },
  );
});
