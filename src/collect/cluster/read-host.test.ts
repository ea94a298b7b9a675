import { describe, expect, it } from 'vitest';
import { type ClusterAnswer, ClusterError, type ClusterPort, type ClusterRequest } from './port.ts';
import { type DeepSettings, readHosts } from './read-host.ts';

/** A cluster in which created things exist until they are deleted. */
class SmallCluster implements ClusterPort {
  readonly server = 'https://cluster.test';
  readonly context = 'test';
  readonly namespace = 'default';
  readonly counted = { requests: 0, retries: 0, bytes: 0 };
  readonly there = new Map<string, unknown>();
  readonly created: { path: string; body: unknown }[] = [];
  private readonly status: unknown;
  private readonly log: string;
  private readonly refused: (request: ClusterRequest) => ClusterError | undefined;

  constructor(status: unknown, log: string, refused: (request: ClusterRequest) => ClusterError | undefined = () => undefined) {
    this.status = status;
    this.log = log;
    this.refused = refused;
  }

  async request(request: ClusterRequest): Promise<ClusterAnswer> {
    const refusal = this.refused(request);
    if (refusal) throw refusal;
    const { path, method = 'GET', body } = request;
    if (method === 'POST') {
      const { metadata } = body as { metadata: { name: string } };
      this.created.push({ path, body });
      this.there.set(`${path}/${metadata.name}`, body);
      return this.answer(body);
    }
    if (method === 'DELETE') {
      for (const key of [...this.there.keys()]) if (key === path || key.startsWith(`${path}/`)) this.there.delete(key);
      return this.answer({});
    }
    if (path.includes('/log?')) return this.answer(this.log);
    return this.answer({ status: this.status });
  }

  private answer(body: unknown): ClusterAnswer {
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    return { status: 200, contentType: 'application/json', body: bytes, cut: false };
  }

  async *pages() {}
  close() {}
}

const SETTINGS: DeepSettings = { image: 'tools.test/shell:1', script: 'echo hello', startSeconds: 0.05, runSeconds: 0.05 };
const DONE = { phase: 'Succeeded', containerStatuses: [{ state: { terminated: { exitCode: 0 } } }] };

describe('reading hosts through pods', () => {
  it('brings what the host said, and removes everything', async () => {
    const cluster = new SmallCluster(DONE, 'root@n1:~# uname -r\n6.1.0\n');
    const { documents, unread } = await readHosts(cluster, ['n1', 'n2'], SETTINGS);
    expect(documents.map(({ name }) => name)).toEqual(['nodes/n1/host.txt', 'nodes/n2/host.txt']);
    expect(unread).toEqual([]);
    expect([...cluster.there.keys()]).toEqual([]);
  });

  it('creates one namespace and one pod a node, bound to it, that ends by itself', async () => {
    const cluster = new SmallCluster(DONE, 'x');
    await readHosts(cluster, ['n1'], SETTINGS);
    expect(cluster.created).toHaveLength(2);
    expect(cluster.created[1]?.body).toMatchObject({
      spec: {
        nodeName: 'n1',
        activeDeadlineSeconds: expect.any(Number),
        automountServiceAccountToken: false,
        containers: [{ image: 'tools.test/shell:1', volumeMounts: [{ readOnly: true }] }],
      },
    });
  });

  it('says so where no pod starts, with the command for the host, and removes everything', async () => {
    const stuck = { phase: 'Pending', containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }] };
    const cluster = new SmallCluster(stuck, '');
    const { documents, unread } = await readHosts(cluster, ['n1'], SETTINGS);
    expect(documents).toEqual([]);
    expect(unread[0]?.why).toContain('did not start within 0.05 s (ContainerCreating)');
    expect(unread[0]?.command).toContain('ssh n1');
    expect([...cluster.there.keys()]).toEqual([]);
  });

  it('goes on with the other nodes where one is refused', async () => {
    const cluster = new SmallCluster(DONE, 'x', ({ method, body }) =>
      method === 'POST' && JSON.stringify(body).includes('"nodeName":"n1"')
        ? new ClusterError('forbidden', 'privileged pods are forbidden')
        : undefined,
    );
    const { documents, unread } = await readHosts(cluster, ['n1', 'n2'], SETTINGS);
    expect(documents.map(({ name }) => name)).toEqual(['nodes/n2/host.txt']);
    expect(unread[0]).toMatchObject({ missed: [{ extent: 'denied' }] });
    expect([...cluster.there.keys()]).toEqual([]);
  });

  it('removes everything when the user stops it', async () => {
    const stopped = new AbortController();
    const running = { phase: 'Running', containerStatuses: [{ state: { running: {} } }] };
    const cluster = new SmallCluster(running, '');
    stopped.abort();
    const { unread } = await readHosts(cluster, ['n1'], { ...SETTINGS, signal: stopped.signal });
    expect(unread[0]?.why).toContain('stopped by the user');
    expect([...cluster.there.keys()]).toEqual([]);
  });

  it('says how to remove the namespace where that fails', async () => {
    const cluster = new SmallCluster(DONE, 'x', ({ method, path }) =>
      method === 'DELETE' && !path.includes('/pods/') ? new ClusterError('server-error', 'etcd is away') : undefined,
    );
    await expect(readHosts(cluster, ['n1'], SETTINGS)).rejects.toThrow(/kubectl delete namespace podcause-/);
  });
});
