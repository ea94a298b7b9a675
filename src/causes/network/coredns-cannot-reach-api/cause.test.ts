import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE     NAME                       READY   STATUS    RESTARTS   AGE
kube-system   coredns-7c65d6cfc9-4k2bp   0/1     Running   0          19m
kube-system   coredns-7c65d6cfc9-m9x7v   0/1     Running   0          19m
`;
const log = (words: string) => `$ kubectl -n kube-system logs coredns-7c65d6cfc9-4k2bp
${words}
`;
const waiting = '[INFO] plugin/ready: Plugins not ready: "kubernetes"';
const failing =
  '[ERROR] plugin/kubernetes: pkg/mod/k8s.io/client-go@v0.29.3/tools/cache/reflector.go:229: Failed to watch *v1.Namespace: failed to list *v1.Namespace: Get "https://10.96.0.1:443/api/v1/namespaces?limit=500&resourceVersion=0": dial tcp 10.96.0.1:443: i/o timeout';

testCause(cause, {
  finds: {
    'it waits and times out': {
      evidence: { 'pods.txt': pods, 'coredns.log': log(`${waiting}\n${failing}`) },
      confidence: 'certain',
      place: 'Deployment kube-system/coredns',
      cites: ['coredns.log:3'],
      victims: 2,
    },
    'an old version': {
      evidence: {
        'coredns.log': log(
          'E0304 08:10:57.331207       1 reflector.go:126] pkg/mod/k8s.io/client-go@v11.0.0/tools/cache/reflector.go:94: Failed to list *v1.Service: Get https://10.96.0.1:443/api/v1/services?limit=500&resourceVersion=0: dial tcp 10.96.0.1:443: connect: no route to host',
        ),
      },
      confidence: 'certain',
    },
    'its role is too old': {
      evidence: {
        'coredns.log': log(
          'E0304 08:10:57.331207       1 reflector.go:138] pkg/mod/k8s.io/client-go@v0.22.2/tools/cache/reflector.go:167: Failed to watch *v1.EndpointSlice: failed to list *v1.EndpointSlice: endpointslices.discovery.k8s.io is forbidden: User "system:serviceaccount:kube-system:coredns" cannot list resource "endpointslices" in API group "discovery.k8s.io" at the cluster scope',
        ),
      },
      confidence: 'certain',
    },
    'only that it waits, again and again': {
      evidence: { 'pods.txt': pods, 'coredns.log': log(`${waiting}\n${waiting}\n${waiting}\n${waiting}`) },
      confidence: 'certain',
    },
    'one line, and its probe': {
      evidence: {
        'pods.txt': pods,
        'coredns.log': log('[WARNING] plugin/kubernetes: starting server with unsynced Kubernetes API'),
        'describe.txt': `$ kubectl -n kube-system describe pod coredns-7c65d6cfc9-4k2bp
Events:
  Type     Reason     Age                 From     Message
  ----     ------     ----                ----     -------
  Warning  Unhealthy  5s (x60 over 18m)   kubelet  Readiness probe failed: HTTP probe failed with statuscode: 503
`,
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'a broken Corefile': {
      evidence: { 'coredns.log': log(`${failing}\n/etc/coredns/Corefile:12 - Error during parsing: Unknown directive 'forwrad'`) },
      by: 'otherFault',
    },
  },
  asks: { 'its log': { evidence: { 'note.txt': `${waiting}\n` }, for: 'container-log' } },
});
