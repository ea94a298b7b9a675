import { type ClusterAnswer, ClusterError, type ClusterPort, type ClusterRequest, type ListRequest } from '../collect/cluster/port.ts';
import type { Page } from '../model/document.ts';

type Answer = string | object | ClusterError;

export interface FakeCluster {
  /** By path, with or without its query. */
  readonly answers?: Readonly<Record<string, Answer>>;
  /** Items by path of their list. */
  readonly lists?: Readonly<Record<string, readonly object[] | ClusterError>>;
  readonly pageSize?: number;
}

export const NOW = Date.parse('2026-03-01T12:00:00Z');

/** A cluster that answers from memory: the only fake there is, at the only door to a cluster. */
export class FakePort implements ClusterPort {
  readonly server = 'https://cluster.test:6443';
  readonly context = 'test';
  readonly namespace = 'default';
  readonly asked: string[] = [];
  private readonly cluster: FakeCluster;

  constructor(cluster: FakeCluster) {
    this.cluster = cluster;
  }

  get counted() {
    return { requests: this.asked.length, retries: 0, bytes: 0 };
  }

  async request({ path, method = 'GET' }: ClusterRequest): Promise<ClusterAnswer> {
    this.asked.push(`${method} ${path}`);
    const answer = this.cluster.answers?.[path] ?? this.cluster.answers?.[path.replace(/\?.*/, '')] ?? this.builtIn(path);
    if (answer === undefined) throw new ClusterError('not-found', `${path} is not there`, { status: 404 });
    if (answer instanceof ClusterError) throw answer;
    const body = Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer));
    return { status: 200, contentType: 'application/json', body, cut: false, date: NOW };
  }

  private builtIn(path: string): Answer | undefined {
    if (path === '/version') return { gitVersion: 'v1.31.4' };
    const list = this.cluster.lists?.[path.replace(/\?.*/, '')];
    return list instanceof ClusterError ? list : list === undefined ? undefined : { kind: 'List', items: list };
  }

  async *pages({ path }: ListRequest): AsyncIterable<Page> {
    this.asked.push(`LIST ${path}`);
    const list = this.cluster.lists?.[path] ?? this.cluster.lists?.[path.replace(/\?.*/, '')] ?? [];
    if (list instanceof ClusterError) throw list;
    const size = this.cluster.pageSize ?? 500;
    const plural = path.replace(/\?.*/, '').split('/').at(-1) ?? '';
    for (let from = 0; from === 0 || from < list.length; from += size) {
      const page = { kind: `${KINDS[plural] ?? ''}List`, apiVersion: 'v1', metadata: {}, items: list.slice(from, from + size) };
      yield { encoding: 'json', bytes: Buffer.from(JSON.stringify(page)) };
    }
  }

  close(): void {}
}

const KINDS: Readonly<Record<string, string>> = { pods: 'Pod', nodes: 'Node', events: 'Event', deployments: 'Deployment' };

export function node(name: string, ready = true): object {
  return {
    metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: {},
    status: {
      conditions: [
        { type: 'Ready', status: ready ? 'True' : 'Unknown', reason: ready ? 'KubeletReady' : 'NodeStatusUnknown', message: '' },
      ],
      nodeInfo: {
        kubeletVersion: 'v1.31.4',
        containerRuntimeVersion: 'containerd://1.6.20',
        osImage: 'Debian GNU/Linux 12 (bookworm)',
        kernelVersion: '6.1.0',
        architecture: 'amd64',
      },
    },
  };
}

/** A pod whose only container ends with exit code 1 and is restarted. */
export function crashingPod(namespace: string, name: string, on: string): object {
  const ended = { exitCode: 1, reason: 'Error', startedAt: '2026-03-01T11:58:00Z', finishedAt: '2026-03-01T11:58:02Z' };
  return {
    metadata: { namespace, name, uid: `uid-${name}`, creationTimestamp: '2026-03-01T11:00:00Z' },
    spec: { nodeName: on, containers: [{ name: 'app', image: 'registry.test/app:1', env: [{ name: 'PASSWORD', value: 'hunter2' }] }] },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady' }],
      containerStatuses: [
        {
          name: 'app',
          ready: false,
          restartCount: 9,
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container=app' } },
          lastState: { terminated: ended },
        },
      ],
    },
  };
}
