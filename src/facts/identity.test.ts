import { describe, expect, it } from 'vitest';
import type { Edge, Evidence } from '../model/evidence.ts';
import type { Fact } from '../model/facts.ts';
import { createIdentity } from './identity.ts';

const ID = '4d21c0a97be35f6081a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708';

function evidence(edges: readonly Edge[], abouts: readonly string[] = []): Evidence {
  const facts = abouts.map((about) => ({ kind: 'pod.completed', about, ok: true, cited: [] }) as unknown as Fact);
  return { facts, edges: [...edges], coverage: [], pieces: [], unrecognised: [], unread: [] };
}

const alias = (name: string, entity: string): Edge => ({ type: 'alias', alias: name, entity });

describe('identity', () => {
  it('gives a pod its namespace where only one fits', () => {
    const { resolve } = createIdentity(evidence([], ['Pod/shop/api-0', 'Pod/?/api-0', 'Pod/?/web-0']));
    expect(resolve('Pod/?/api-0')).toBe('Pod/shop/api-0');
    expect(resolve('Pod/?/web-0')).toBe('Pod/?/web-0');
  });

  it('does not choose between two namespaces', () => {
    const { resolve } = createIdentity(evidence([], ['Pod/a/web-0', 'Pod/b/web-0']));
    expect(resolve('Pod/?/web-0')).toBe('Pod/?/web-0');
  });

  it('follows a short container id by its unique prefix, both ways', () => {
    const { resolve } = createIdentity(evidence([alias(`cid:${ID}`, 'Container/shop/api-0/app')]));
    expect(resolve(`cid:${ID.slice(0, 12)}`)).toBe('Container/shop/api-0/app');
    const short = createIdentity(evidence([alias(`cid:${ID.slice(0, 13)}`, 'Container/shop/api-0/app')]));
    expect(short.resolve(`cid:${ID}`)).toBe('Container/shop/api-0/app');
  });

  it('does not follow a prefix that two ids share', () => {
    const { resolve } = createIdentity(evidence([alias('cid:aaaa11', 'Container/a/b/c'), alias('cid:aaaa22', 'Container/a/b/d')]));
    expect(resolve('cid:aaaa')).toBe('cid:aaaa');
  });

  it('joins a uid, a cgroup and a name into one pod', () => {
    const { resolve } = createIdentity(evidence([alias('uid:1-2', 'Pod/shop/api-0'), alias('cid:abc123', 'uid:1-2')]));
    expect(resolve('cid:abc123')).toBe('Pod/shop/api-0');
    expect(resolve('Container/uid:1-2/app')).toBe('Container/shop/api-0/app');
  });

  it('ends on aliases that go in a circle', () => {
    const { resolve } = createIdentity(evidence([alias('uid:a', 'uid:b'), alias('uid:b', 'uid:a')]));
    expect(typeof resolve('uid:a')).toBe('string');
  });

  it('takes the only node named for the unnamed one, and never guesses between two', () => {
    expect(createIdentity(evidence([{ type: 'runs-on', pod: 'Pod/a/b', node: 'Node/w1' }])).resolve('Node/?')).toBe('Node/w1');
    expect(createIdentity(evidence([], ['Node/w1', 'Node/w2'])).resolve('Node/?')).toBe('Node/?');
  });

  it('joins a short host name with its full one', () => {
    const { resolve } = createIdentity(evidence([], ['Node/ip-10-0-0-1', 'Node/ip-10-0-0-1.ec2.internal']));
    expect(resolve('Node/ip-10-0-0-1')).toBe('Node/ip-10-0-0-1.ec2.internal');
    expect(resolve('Node/?')).toBe('Node/ip-10-0-0-1.ec2.internal');
  });
});
