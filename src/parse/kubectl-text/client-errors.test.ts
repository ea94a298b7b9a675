import { describe, expect, it } from 'vitest';
import { factsOf, readText, saying } from './test-support.ts';

const REFUSED = 'The connection to the server 10.1.1.5:6443 was refused - did you specify the right host or port?';
const EXPIRED =
  'Unable to connect to the server: x509: certificate has expired or is not yet valid: current time 2024-05-02T09:11:12Z is after 2024-05-01T00:00:00Z';

describe('what kubectl says instead of its output', () => {
  it('is heard as its own words, with or without the command', () => {
    for (const context of [{}, { command: 'kubectl get pods' }]) {
      for (const text of [REFUSED, `> ${REFUSED}`, `    ${EXPIRED}`]) {
        const read = readText(text, context);
        expect(read.said).toMatchObject([{ channel: 'objects', about: 'Cluster/-', level: 'error', component: 'kubectl' }]);
        expect(read.said[0]?.hearsay).toBeUndefined();
        expect(read.left).toEqual([]);
      }
    }
  });

  it('is heard behind words that announce it, not within a sentence', () => {
    for (const text of [`错误信息：${REFUSED}`, `kubectl says: "${EXPIRED}"`, `报错 ${REFUSED}`])
      expect(readText(text).said).toHaveLength(1);
    const sentence = `I do not understand why it should be so that I keep on getting this message here (${REFUSED})`;
    expect(readText(sentence).left).toEqual([sentence]);
  });

  it('shows an API server that does not answer; none was configured where it is the default address', () => {
    expect(factsOf(readText(REFUSED), 'object.status').map(saying)).toEqual([
      { about: 'Object/APIServer/?/10.1.1.5:6443', status: 'unreachable' },
    ]);
    expect(factsOf(readText(EXPIRED), 'object.status').map(saying)).toEqual([{ about: 'Object/APIServer/?/?', status: 'unreachable' }]);
    expect(readText(REFUSED.replace('10.1.1.5:6443', 'localhost:8080')).facts).toEqual([]);
    expect(readText('Unable to connect to the server: dial tcp: lookup api.example on 10.0.0.2:53: no such host').facts).toEqual([]);
  });

  it('is about the object or namespace it names', () => {
    const aboutOf = (text: string, command?: string) => readText(text, command === undefined ? {} : { command }).said[0]?.about;
    expect(
      aboutOf(
        'Error from server (Forbidden): error when creating "x.yaml": pods "web-1" is forbidden: exceeded quota: compute',
        'kubectl apply -f x.yaml -n shop',
      ),
    ).toBe('Pod/shop/web-1');
    expect(
      aboutOf(
        'Error from server (Forbidden): pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "shop"',
      ),
    ).toBe('Namespace/shop');
    expect(aboutOf('The Deployment "web" is invalid: spec.selector: Invalid value: x: field is immutable')).toBe(
      'Workload/Deployment/?/web',
    );
    expect(aboutOf('Error from server: etcdserver: request timed out')).toBe('Cluster/-');
  });

  it('tells what is not there and what was not allowed', () => {
    const missing = readText('Error from server (NotFound): secrets "regcred" not found', {
      command: 'kubectl get secret regcred -n shop',
    });
    expect(factsOf(missing, 'object.missing').map(saying)).toEqual([{ about: 'Object/Secret/shop/regcred', type: 'Secret' }]);
    const deleted = readText('Error from server (NotFound): pods "web-1" not found', { command: 'kubectl delete pod web-1' });
    expect(factsOf(deleted, 'object.missing')).toEqual([]);
    const denied = readText(
      'Error from server (Forbidden): nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope',
      {
        command: 'kubectl get nodes',
      },
    );
    expect(denied.coverage).toMatchObject([{ channel: 'node-status', extent: 'denied' }]);
  });

  it('takes an empty listing for all there is, unless it was narrowed', () => {
    const none = readText('No resources found', { command: 'kubectl get sc' });
    expect(factsOf(none, 'object.missing').map(saying)).toEqual([{ about: 'Cluster/-', type: 'StorageClass', every: true }]);
    const pods = readText('No resources found in shop namespace.', { command: 'kubectl get pods -n shop' });
    expect(pods.coverage).toMatchObject([{ channel: 'pod-status', about: 'Namespace/shop', extent: 'whole' }]);
    expect(readText('No resources found in shop namespace.', { command: 'kubectl get pods -n shop -l app=web' }).facts).toEqual([]);
    expect(readText('No resources found in shop namespace.').facts).toEqual([]);
  });

  it('takes plain errors only where kubectl was typed or its words are known', () => {
    expect(readText('error: Metrics API not available').said).toHaveLength(1);
    expect(readText('error: the widget is broken').left).toHaveLength(1);
    expect(readText('error: the widget is broken', { command: 'kubectl get widgets' }).said).toMatchObject([{ level: 'error' }]);
    expect(readText('Warning: policy/v1beta1 is deprecated', { command: 'kubectl get psp' }).said).toMatchObject([{ level: 'info' }]);
    expect(readText('Warning: would violate PodSecurity "restricted:latest": allowPrivilegeEscalation != false').said).toMatchObject([
      { level: 'warning' },
    ]);
  });

  it('keeps the lines below that belong to it', () => {
    const read = readText(
      'The Pod "web" is invalid: \n* spec.containers[0].image: Required value\n* spec.x: Forbidden\nAnd then I gave up.',
    );
    expect(read.said[0]?.text).toBe('The Pod "web" is invalid:\n* spec.containers[0].image: Required value\n* spec.x: Forbidden');
    expect(read.left).toEqual(['And then I gave up.']);
  });

  it('leaves the logs of others alone', () => {
    expect(readText('Error from server (NotFound): pods "web-1" not found', { channel: 'container-log' }).said).toEqual([]);
  });
});
