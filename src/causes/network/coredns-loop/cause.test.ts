import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE     NAME                       READY   STATUS             RESTARTS       AGE
kube-system   coredns-7c65d6cfc9-4k2bp   0/1     CrashLoopBackOff   8 (2m2s ago)   19m
kube-system   coredns-7c65d6cfc9-m9x7v   0/1     CrashLoopBackOff   8 (2m1s ago)   19m
`;
const log = (fatal: string) => `$ kubectl -n kube-system logs coredns-7c65d6cfc9-4k2bp
.:53
[INFO] plugin/reload: Running configuration SHA512 = 591cf328cccc12bc490481273e738df59329c62c0b729d94e8b61db9961c2fa5
CoreDNS-1.11.3
linux/amd64, go1.21.11, a6338e9
${fatal}
`;
const fatal =
  '[FATAL] plugin/loop: Loop (127.0.0.1:41877 -> :53) detected for zone ".", see https://coredns.io/plugins/loop#troubleshooting. Query: "HINFO 4547991504243258144.3688648895315093531."';

testCause(cause, {
  finds: {
    'the file of the node shows it': {
      evidence: {
        'pods.txt': pods,
        'coredns.log': log(fatal),
        'host.txt': '[root@plover-1 ~]# cat /etc/resolv.conf\nnameserver 127.0.0.53\noptions edns0\n',
      },
      confidence: 'certain',
      cites: ['host.txt:2'],
    },
    'both pods of the Deployment': {
      evidence: { 'pods.txt': pods, 'coredns.log': log(fatal) },
      confidence: 'certain',
      place: 'Deployment kube-system/coredns',
      cites: ['coredns.log:6'],
      victims: 2,
    },
    'an old CoreDNS': {
      evidence: {
        'pods.txt': pods,
        'coredns.log': log(
          '2019/03/04 08:10:57 [FATAL] plugin/loop: Seen "HINFO IN 3141592653589793238.4626433832795028841." more than twice, loop detected',
        ),
      },
      confidence: 'certain',
    },
    'a version between': {
      evidence: {
        'pods.txt': pods,
        'coredns.log': log(
          '[FATAL] plugin/loop: Forwarding loop detected in "." zone. Exiting. See https://coredns.io/plugins/loop#troubleshooting. Query: "HINFO 1.2."',
        ),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the Corefile does not parse': {
      evidence: {
        'pods.txt': pods,
        'coredns.log': log(fatal),
        'later.log':
          "$ kubectl -n kube-system logs coredns-7c65d6cfc9-4k2bp\n/etc/coredns/Corefile:12 - Error during parsing: Unknown directive 'forwrad'\n",
      },
      by: 'corefile',
    },
  },
  asks: {
    'its log': {
      evidence: {
        'pods.txt': pods,
        'host.txt': '[root@plover-1 ~]# cat /etc/resolv.conf\nnameserver 127.0.0.53\n',
        'note.txt': 'plugin/loop: Forwarding loop detected in "." zone, as somebody wrote to me yesterday about our server.\n',
      },
      for: 'container-log',
    },
  },
});
