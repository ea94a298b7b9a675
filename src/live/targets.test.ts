import { describe, expect, it } from 'vitest';
import { parseTarget } from './targets.ts';

describe('what the user names', () => {
  it.each([
    ['pod/web-0', { kind: 'Pod', name: 'web-0' }],
    ['po/web-0', { kind: 'Pod', name: 'web-0' }],
    ['deploy/api', { kind: 'Deployment', name: 'api' }],
    ['deployment.apps/api', { kind: 'Deployment', name: 'api' }],
    ['sts/db', { kind: 'StatefulSet', name: 'db' }],
    ['node/ip-10-0-0-1.eu.internal', { kind: 'Node', name: 'ip-10-0-0-1.eu.internal' }],
    ['PVC/data', { kind: 'PersistentVolumeClaim', name: 'data' }],
  ])('%s', (text, target) => expect(parseTarget(text)).toEqual(target));

  it.each(['pod', 'pods/', 'pod/a/b', 'logs/kubelet.log.d/x', 'pod/Kubelet.log', './pod/web-0', 'pod/$(rm)', 'evidence/pods'])(
    '%s may be a path',
    (text) => expect(parseTarget(text)).toBeUndefined(),
  );
});
