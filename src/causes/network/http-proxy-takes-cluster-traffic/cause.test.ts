import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = `Events:
  Type     Reason                  Age                 From               Message
  ----     ------                  ----                ----               -------
  Normal   Scheduled               3m10s               default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to plover-1
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)  kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f": plugin type="calico" failed (add): Get "https://10.96.0.1:443/api/v1/namespaces/shop": proxyconnect tcp: dial tcp 10.7.7.7:3128: i/o timeout
`;
const warning = `[preflight] Running pre-flight checks.
	[WARNING HTTPProxy]: Connection to "https://10.4.0.11:6443" uses proxy "http://gate.example:3128". If that is not intended, adjust your proxy settings
	[WARNING HTTPProxyCIDR]: connection to "10.96.0.0/12" uses proxy "http://gate.example:3128". This may lead to malfunctional cluster setup. Make sure that Pod and Services IP ranges specified correctly as exceptions in proxy configuration
`;

testCause(cause, {
  finds: {
    'a proxy answers the kubelet': {
      evidence: {
        'kubelet.log':
          'Jun 05 07:21:03 plover-1 kubelet[804]: E0605 07:21:03.110204     804 kubelet_node_status.go:92] "Unable to register node with API server" err="Post \\"https://10.4.0.11:6443/api/v1/nodes\\": Forbidden" node="plover-1"\n',
      },
      confidence: 'certain',
    },
    'a proxy refuses the tunnel': {
      evidence: { 'shell.txt': 'curl: (56) Received HTTP code 403 from proxy after CONNECT\n' },
      confidence: 'possible',
    },
    'the plugin of a pod': {
      evidence: { 'describe.txt': event },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'kubeadm warns and does not get on': {
      evidence: { 'init.txt': `${warning}\nUnfortunately, an error has occurred:\n\ttimed out waiting for the condition\n` },
      confidence: 'possible',
    },
    'kubectl itself': {
      evidence: {
        'term.txt': '$ kubectl get nodes\nUnable to connect to the server: proxyconnect tcp: dial tcp 10.7.7.7:3128: i/o timeout\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it worked nevertheless': {
      evidence: { 'init.txt': `${warning}Your Kubernetes control-plane has initialized successfully!\n` },
      by: 'worked',
    },
  },
  asks: { 'what others say': { evidence: { 'init.txt': warning }, for: 'pod-events' } },
});
