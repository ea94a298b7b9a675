import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                 From               Message
  ----     ------                  ----                ----               -------
  Normal   Scheduled               3m10s               default-scheduler  Successfully assigned shop/edge-5d9c7b6f8-q2w4z to plover-1
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)  kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = ${message}
`;
const chain =
  'failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="portmap" failed (add): unable to create chain CNI-HOSTPORT-SETMARK: failed to list chains: running [/usr/sbin/iptables -t nat -S --wait]: exit status 3: modprobe: FATAL: Module ip_tables not found';

testCause(cause, {
  finds: {
    'no iptables': {
      evidence: {
        'describe.txt': events(
          'failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="portmap" failed (add): failed to open iptables: exec: "iptables": executable file not found in $PATH',
        ),
        'host.txt':
          '[root@plover-1 ~]# which iptables\n/usr/bin/which: no iptables in (/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin)\n',
      },
      confidence: 'certain',
    },
    'the chain cannot be made': {
      evidence: { 'describe.txt': events(chain) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'CRI-O and a port that is taken': {
      evidence: {
        'describe.txt': events(
          'failed to add hostport mapping for sandbox k8s_edge_shop(0d1f): cannot open hostport 8443 for pod k8s_edge_shop: listen tcp4 :8443: bind: address already in use',
        ),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the plugin is missing': {
      evidence: {
        'describe.txt': `${events(chain)}  Warning  FailedCreatePodSandBox  3s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1d1f": plugin type="portmap" failed (add): failed to find plugin "portmap" in path [/opt/cni/bin]\n`,
      },
      by: 'missing',
    },
  },
  asks: { 'whether iptables is there': { evidence: { 'describe.txt': events(chain) }, for: 'host-tools' } },
});
