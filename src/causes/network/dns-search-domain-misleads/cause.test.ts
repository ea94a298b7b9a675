import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const lookup = (answer: string) => `/ # nslookup mirror.plover.org
Server:\t\t10.96.0.10
Address:\t10.96.0.10#53

Non-authoritative answer:
${answer}
`;
const empty = "*** Can't find mirror.plover.org.corp.heron.example: No answer";

testCause(cause, {
  finds: {
    'an empty answer': { evidence: { 'pod.txt': lookup(empty) }, confidence: 'possible', cites: ['pod.txt:6'] },
    'a wildcard': {
      evidence: { 'pod.txt': lookup('Name:\tmirror.plover.org.corp.heron.example\nAddress: 203.0.113.9') },
      confidence: 'possible',
    },
    'CoreDNS logs its queries': {
      evidence: {
        'coredns.log':
          '$ kubectl -n kube-system logs coredns-6d4b75cb6d-9dl8m\n[INFO] 10.244.1.7:41022 - 4711 "A IN mirror.plover.org.corp.heron.example. udp 57 false 512" NOERROR qr,rd,ra 102 0.004s\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the upstream is silent': {
      evidence: {
        'pod.txt': lookup(empty),
        'coredns.log':
          '$ kubectl -n kube-system logs coredns-6d4b75cb6d-9dl8m\n[ERROR] plugin/errors: 2 mirror.plover.org.corp.heron.example. AAAA: read udp 10.244.1.7:41022->10.4.0.1:53: i/o timeout\n',
      },
      by: 'silent',
    },
  },
  asks: { 'the log of CoreDNS': { evidence: { 'note.txt': `${empty}\n` }, for: 'container-log' } },
});
