import { describe, expect, it } from 'vitest';
import { ClusterError } from '../collect/cluster/port.ts';
import { diagnoseLive } from './diagnose-live.ts';
import { crashingPod, FakePort, node } from './testing-port.ts';

const LOG = '/api/v1/namespaces/shop/pods/web-0/log';
const LOST = '2026-03-01T11:58:02.000000000Z FATAL: dial tcp 10.0.0.9:5432: connect: connection refused\n';

function shop(more: object = {}): FakePort {
  return new FakePort({
    lists: { '/api/v1/pods': [crashingPod('shop', 'web-0', 'n1')], '/api/v1/nodes': [node('n1'), node('n2')] },
    answers: { [LOG]: LOST },
    ...more,
  });
}

describe('a live diagnosis', () => {
  it('lists first and fetches the logs of what fails, also of the run before', async () => {
    const port = shop();
    const { report } = await diagnoseLive(port, { scope: {} });
    expect(report.verdict).toBe('found');
    expect(report.incidents[0]?.because.flatMap(({ cited }) => cited.map(({ doc }) => doc))).toContain(
      'cluster/pods/logs/shop/web-0/app-previous.log',
    );
    const logs = port.asked.filter((path) => path.includes('/log?'));
    expect(logs.map((path) => path.includes('previous=true')).sort()).toEqual([false, true]);
  });

  it('asks nothing beyond the lists of a healthy cluster', async () => {
    const port = new FakePort({ lists: { '/api/v1/nodes': [node('n1')] } });
    const { report } = await diagnoseLive(port, { scope: {} });
    expect(report.verdict).toBe('healthy');
    expect(port.asked.filter((path) => /log|proxy|secrets/.test(path))).toEqual([]);
  });

  it('asks for nothing twice', async () => {
    const port = shop();
    await diagnoseLive(port, { scope: {} });
    expect(new Set(port.asked).size).toBe(port.asked.length);
  });

  it('asks for nothing twice where a node has log files instead of a journal', async () => {
    const folder = '<pre>\n<a href="syslog">syslog</a>\n</pre>\n';
    const port = new FakePort({
      lists: { '/api/v1/nodes': [node('n1', false), node('n2')] },
      answers: {
        '/api/v1/nodes/n1/proxy/logs/': folder,
        '/api/v1/nodes/n1/proxy/logs/syslog':
          'Mar  1 11:59:00 n1 kubelet[9]: E0301 11:59:00.000000       9 kubelet.go:1] "failed" err="x"\n',
      },
    });
    await diagnoseLive(port, { scope: {} });
    expect(port.asked).toContain('GET /api/v1/nodes/n1/proxy/logs/syslog');
    expect(port.asked.filter((path, index) => port.asked.indexOf(path) !== index)).toEqual([]);
  });

  it('hears two replicas of a workload, not forty', async () => {
    const pods = Array.from({ length: 40 }, (_, index) =>
      crashingPod('shop', `api-7d9f8b6c5d-${'bcdfghjklmnpqrstvwxz'[index % 20]}${index % 2 ? 'bcdf' : 'ghjk'}`, 'n1'),
    );
    const port = new FakePort({ lists: { '/api/v1/pods': pods, '/api/v1/nodes': [node('n1')] } });
    await diagnoseLive(port, { scope: {} });
    expect(new Set(port.asked.filter((path) => path.includes('/log?')).map((path) => path.split('/')[6])).size).toBe(2);
  });

  it('says what was forbidden, and goes on', async () => {
    const forbidden = new ClusterError('forbidden', 'pods/log is forbidden', { status: 403 });
    const { report } = await diagnoseLive(shop({ answers: { [LOG]: forbidden } }), { scope: {} });
    const entry = report.coverage.unread.find(({ doc }) => doc.endsWith('app-previous.log'));
    expect(entry).toMatchObject({
      why: 'pods/log is forbidden',
      command: expect.stringContaining('kubectl logs web-0 -n shop -c app --previous'),
    });
    expect(report.coverage.looked).toContainEqual(expect.objectContaining({ channel: 'container-log', extent: 'denied' }));
    expect([...report.incidents, ...report.undecided].flatMap(({ asks }) => asks.map(({ channel }) => channel))).toContain('container-log');
  });

  it('narrows to the own namespace where the cluster may not be listed', async () => {
    const forbidden = new ClusterError('forbidden', 'pods is forbidden', { status: 403 });
    const port = new FakePort({
      lists: {
        '/api/v1/pods': forbidden,
        '/api/v1/nodes': forbidden,
        '/api/v1/namespaces/default/pods': [crashingPod('default', 'web-0', 'n1')],
      },
    });
    const { scope, report } = await diagnoseLive(port, { scope: {}, mayNarrow: true });
    expect(scope.namespace).toBe('default');
    expect(report.coverage.pods).toBe(1);
    expect(report.coverage.unread.map(({ doc }) => doc)).toContain('cluster/nodes.json');
  });

  it('does not narrow when all namespaces were asked for', async () => {
    const forbidden = new ClusterError('forbidden', 'pods is forbidden', { status: 403 });
    const { scope, report } = await diagnoseLive(new FakePort({ lists: { '/api/v1/pods': forbidden } }), { scope: {} });
    expect(scope.namespace).toBeUndefined();
    expect(report.coverage.unread.map(({ doc }) => doc)).toContain('cluster/pods.json');
    expect(report.verdict).not.toBe('healthy');
  });

  it('fails plainly when nobody answers', async () => {
    const dead = new ClusterError('unreachable', 'no answer from https://cluster.test:6443');
    await expect(diagnoseLive(new FakePort({ answers: { '/version': dead, '/apis': dead } }), { scope: {} })).rejects.toThrow(
      'no answer from',
    );
  });
});
