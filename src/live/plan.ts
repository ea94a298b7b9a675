import { type ClusterScope, LISTS, pathOf } from '../collect/cluster/lists.ts';
import { BOUNDS } from './deepen.ts';

export interface PlannedRequests {
  readonly what: string;
  readonly requests: readonly string[];
  /** How often at most; pages of a list count as one. */
  readonly atMost: number;
}

/** Everything a live diagnosis may ask for: known before anything runs, since it depends on the scope alone. */
export function planLive(scope: ClusterScope): PlannedRequests[] {
  const lists = LISTS.flatMap((kind) => pathOf(kind, kind.versions[0] ?? 'v1', scope) ?? []);
  const { logs, logLines, nodes, nodeLogLines, objects } = BOUNDS;
  return [
    { what: 'which APIs the server has', requests: ['GET /version', 'GET /apis'], atMost: 2 },
    ...(scope.namespace === undefined
      ? [{ what: 'whether all namespaces may be listed', requests: ['GET /api/v1/pods?limit=1'], atMost: 1 }]
      : []),
    { what: 'lists, page by page, without secrets and config maps', requests: lists.map((path) => `GET ${path}`), atMost: lists.length },
    {
      what: `the last ${logLines} lines of failing containers, two pods of a workload at most`,
      requests: ['GET /api/v1/namespaces/NAMESPACE/pods/POD/log?container=…&previous=…'],
      atMost: logs,
    },
    {
      what: 'whether the kubelets of nodes under suspicion answer',
      requests: ['GET /api/v1/nodes/NODE/proxy/healthz?verbose'],
      atMost: nodes,
    },
    {
      what: 'the running configuration of those kubelets, and of a healthy twin',
      requests: ['GET /api/v1/nodes/NODE/proxy/configz'],
      atMost: nodes * 2,
    },
    {
      what: `the last ${nodeLogLines} lines that those kubelets hand out of the node's journals`,
      requests: ['GET /api/v1/nodes/NODE/proxy/logs/?query=kubelet', 'GET /api/v1/nodes/NODE/proxy/logs/FILE'],
      atMost: nodes * 6,
    },
    {
      what: 'config maps, secrets and service accounts that a failing pod stumbles over: names and keys, values are dropped unread',
      requests: ['GET /api/v1/namespaces/NAMESPACE/{configmaps,secrets,serviceaccounts}/NAME'],
      atMost: objects,
    },
    ...(scope.namespace === undefined && scope.selector === undefined
      ? []
      : [{ what: 'the other pods on a suspect node', requests: ['GET /api/v1/pods?fieldSelector=spec.nodeName=NODE'], atMost: 2 }]),
  ];
}
