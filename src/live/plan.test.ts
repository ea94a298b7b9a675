import { describe, expect, it } from 'vitest';
import { diagnoseLive } from './diagnose-live.ts';
import { planLive } from './plan.ts';
import { crashingPod, FakePort, node } from './testing-port.ts';

const SHAPES: readonly [RegExp, string][] = [
  [/\/namespaces\/[^/]+\/pods\/[^/]+\/log\?.*/, '/namespaces/NAMESPACE/pods/POD/log?container=…&previous=…'],
  [/\/nodes\/[^/]+\/proxy\/configz/, '/nodes/NODE/proxy/configz'],
  [/\/nodes\/[^/]+\/proxy\/healthz/, '/nodes/NODE/proxy/healthz'],
  [/\/nodes\/[^/]+\/proxy\/logs\/\?query=.*/, '/nodes/NODE/proxy/logs/?query=kubelet'],
  [/\/nodes\/[^/]+\/proxy\/logs\/?$/, '/nodes/NODE/proxy/logs/FILE'],
  [/\/namespaces\/[^/]+\/(?:configmaps|secrets|serviceaccounts)\/[^/]+/, '/namespaces/NAMESPACE/{configmaps,secrets,serviceaccounts}/NAME'],
  [/fieldSelector=spec\.nodeName=.*/, 'fieldSelector=spec.nodeName=NODE'],
];

/** The request as the plan words it. */
function shape(asked: string): string {
  let path = decodeURIComponent(asked.replace(/^LIST /, 'GET '));
  for (const [pattern, words] of SHAPES) path = path.replace(pattern, words);
  return path;
}

describe('the plan', () => {
  it.each([{}, { namespace: 'shop' }])('names every request that is made (%o)', async (scope) => {
    const pods = scope.namespace ? '/api/v1/namespaces/shop/pods' : '/api/v1/pods';
    const port = new FakePort({
      lists: { [pods]: [crashingPod('shop', 'web-0', 'n1')], '/api/v1/nodes': [node('n1', false), node('n2')] },
    });
    await diagnoseLive(port, { scope, mayNarrow: true });
    const planned = new Set(planLive(scope).flatMap(({ requests }) => requests));
    expect(port.asked.map(shape).filter((request) => !planned.has(request))).toEqual([]);
    expect(port.asked.some((request) => request.includes('/log?'))).toBe(true);
    expect(port.asked.some((request) => request.includes('/proxy/'))).toBe(true);
  });

  it('stays in the namespace that was asked for, but for what belongs to no namespace', () => {
    const lists = planLive({ namespace: 'shop' })[1]?.requests ?? [];
    expect(lists).toContain('GET /api/v1/namespaces/shop/pods');
    expect(lists).toContain('GET /api/v1/nodes');
    expect(lists.filter((request) => /namespaces\/(?!shop\/)\w/.test(request))).toEqual([]);
  });

  it('lists neither secrets nor config maps', () => {
    expect(
      planLive({})
        .flatMap(({ requests }) => requests)
        .filter((request) => /(?:secrets|configmaps)$/.test(request)),
    ).toEqual([]);
  });
});
