import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (words: string) => `$ kubectl -n kube-system logs coredns-7c65d6cfc9-4k2bp
${words}
`;
const query = (name: string, type: string, end = '10.244.0.5:45535->10.9.0.2:53: i/o timeout') =>
  `[ERROR] plugin/errors: 2 ${name} ${type}: read udp ${end}`;

testCause(cause, {
  finds: {
    'asked in a pod: the cluster yes, the world no': {
      evidence: {
        'shell.txt': `bash-5.1# nslookup shop.example.com
nslookup: can't resolve '(null)': Name does not resolve
nslookup: can't resolve 'shop.example.com': Name does not resolve

bash-5.1# nslookup kubernetes
nslookup: can't resolve '(null)': Name does not resolve

Name:      kubernetes
Address 1: 10.96.0.1 kubernetes.default.svc.cluster.local
`,
      },
      confidence: 'possible',
    },
    'names outside do not resolve': {
      evidence: {
        'coredns.log': log(
          [query('api.example.test.', 'A'), query('api.example.test.', 'AAAA'), query('mirror.example.test.', 'A')].join('\n'),
        ),
      },
      confidence: 'possible',
      place: 'Deployment kube-system/coredns',
      cites: ['coredns.log:2'],
    },
    'its own test query, once': {
      evidence: { 'coredns.log': log(query('4547991504243258144.3688648895315093531.', 'HINFO')) },
      confidence: 'possible',
    },
    'no upstream is healthy': {
      evidence: {
        'coredns.log': log('[ERROR] plugin/errors: 2 api.example.test. A: plugin/forward: no healthy upstream'),
        'shell.txt':
          '[root@plover-1 ~]# nc -vz -w 3 10.9.0.2 53\nnc: connect to 10.9.0.2 port 53 (tcp) timed out: Operation now in progress\n',
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'an answer without an address': {
      evidence: {
        'pod.txt':
          "/ # nslookup mirror.plover.org\nServer:\t\t10.96.0.10\nAddress:\t10.96.0.10#53\n\nNon-authoritative answer:\n*** Can't find mirror.plover.org: No answer\n",
      },
      by: 'answered',
    },
    'it forwards to itself': {
      evidence: {
        'coredns.log': log(`${query('api.example.test.', 'A')}\n[FATAL] plugin/loop: Loop (127.0.0.1:41877 -> :53) detected for zone "."`),
      },
      by: 'loop',
    },
  },
  asks: { 'whether the server answers': { evidence: { 'coredns.log': log(query('api.example.test.', 'A')) }, for: 'net.attempt' } },
});
