import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `NAMESPACE   NAME                   READY   STATUS             RESTARTS      AGE
shop        cart-5d9c7b6f8-q2w4z   ${status}   9m
`;
const unready = pods('1/2     Running            0          ');
const log = (container: string, words: string) => `$ kubectl -n shop logs cart-5d9c7b6f8-q2w4z -c ${container}
${words}
`;
const waiting = (second: number) =>
  `2025-03-04T08:10:${second}.486246Z\twarn\tEnvoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected; lds updates: 0 successful, 0 rejected`;

testCause(cause, {
  finds: {
    'a token it may not read': {
      evidence: {
        'pods.txt': unready,
        'proxy.log': log(
          'istio-proxy',
          '2025-03-04T08:10:23.308633Z\terror\txdsproxy\tfailed to read token file "./var/run/secrets/tokens/istio-token": open ./var/run/secrets/tokens/istio-token: permission denied',
        ),
      },
      confidence: 'certain',
    },
    'a token that is not mounted': {
      evidence: {
        'pods.txt': unready,
        'proxy.log': log(
          'istio-proxy',
          '2025-03-04T08:10:23.308633Z\terror\txdsproxy\tfailed to read token file: open ./var/run/secrets/tokens/istio-token: no such file or directory',
        ),
      },
      confidence: 'certain',
    },
    'rules that istio-cni did not make': {
      evidence: {
        'validation.log':
          '$ kubectl -n shop logs till-5d4c3b2a19-m3n4p -c istio-validation\nError connecting to 127.0.0.6:15002: dial tcp 127.0.0.1:0->127.0.0.6:15002: connect: connection refused\n',
      },
      confidence: 'probable',
    },
    'rules that are there already, in a paste': {
      evidence: { 'paste.txt': 'my init container ends:\n+ iptables -t nat -N SIDE_REDIRECT\niptables: Chain already exists.\n' },
      confidence: 'possible',
    },
    'legacy iptables on a kernel without it': {
      evidence: {
        'pods.txt': pods('0/2     Init:CrashLoopBackOff   3   '),
        'init.log': log(
          'linkerd-init',
          `time="2025-03-04T08:10:23Z" level=info msg="modprobe: can't change directory to '/lib/modules': No such file or directory\\niptables-save v1.8.7 (legacy): Cannot initialize: iptables who? (do you need to insmod?)\\n\\n"
time="2025-03-04T08:10:23Z" level=error msg="aborting firewall configuration"`,
        ),
      },
      confidence: 'certain',
    },
    'the init container runs twice': {
      evidence: {
        'pods.txt': pods('0/2     Init:CrashLoopBackOff   3   '),
        'init.log': log('istio-init', '+ iptables -t nat -N ISTIO_REDIRECT\niptables: Chain already exists.'),
      },
      confidence: 'certain',
    },
    'linkerd cannot sign certificates': {
      evidence: {
        'pods.txt': unready,
        'identity.log': log(
          'identity',
          'time="2025-03-04T08:10:23Z" level=error msg="could not process CSR because of CA cert validation failure: x509: certificate has expired or is not yet valid"',
        ),
      },
      confidence: 'certain',
    },
    'no configuration, again and again': {
      evidence: { 'pods.txt': unready, 'proxy.log': log('istio-proxy', [11, 13, 15, 17].map(waiting).join('\n')) },
      confidence: 'certain',
      place: 'Deployment shop/cart',
      cites: ['proxy.log:2'],
      victims: 1,
    },
    'once, by an old version': {
      evidence: {
        'pods.txt': unready,
        'proxy.log': log(
          'istio-proxy',
          '2020-03-04T08:10:11.486246Z\tinfo\tEnvoy proxy is NOT ready: config not received from Pilot (is Pilot running?)',
        ),
      },
      confidence: 'possible',
    },
    'a rejected configuration': {
      evidence: {
        'pods.txt': unready,
        'proxy.log': log(
          'istio-proxy',
          '2025-03-04T08:10:11.486246Z\twarn\tEnvoy proxy is NOT ready: config received from XDS server, but was rejected: cds updates: 1 successful, 0 rejected; lds updates: 0 successful, 1 rejected',
        ),
      },
      confidence: 'certain',
    },
    'istiod is not found': {
      evidence: {
        'pods.txt': unready,
        'proxy.log': log(
          'istio-proxy',
          '2025-03-04T08:10:11.486246Z\twarn\tca\tca request failed, starting attempt 1: create certificate: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing dial tcp: lookup istiod.istio-system.svc on 10.96.0.10:53: no such host"',
        ),
      },
      confidence: 'certain',
    },
    'no right to write rules': {
      evidence: {
        'pods.txt': pods('0/2     Init:CrashLoopBackOff   6 (40s ago)'),
        'init.log': log(
          'istio-init',
          "iptables v1.8.7 (legacy): can't initialize iptables table `nat': Permission denied (you must be root)",
        ),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it is ready by now': {
      evidence: {
        'pods.txt': unready,
        'proxy.log': log('istio-proxy', `${waiting(11)}\n2025-03-04T08:11:11.486246Z\tinfo\tEnvoy proxy is ready`),
      },
      by: 'ready',
    },
    'the pod is well': {
      evidence: { 'pods.txt': pods('2/2     Running            0          '), 'proxy.log': log('istio-proxy', waiting(11)) },
      by: 'well',
    },
  },
  asks: { 'the log of the proxy': { evidence: { 'note.txt': `${waiting(11).replace(/^.*warn\t/, '')}\n` }, for: 'container-log' } },
});
