import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const refused =
  '{"caller":"native.go:107","error":"dial \\"10.30.0.1:179\\": dial tcp 10.30.0.1:179: connect: connection refused","level":"error","localASN":64512,"msg":"failed to connect to peer","op":"connect","peer":"10.30.0.1:179","ts":"2025-03-04T08:10:57Z"}';
const speaker = (words: string) => ({ 'speaker.log': `$ kubectl -n metallb-system logs speaker-x7k2p\n${words}\n` });

testCause(cause, {
  finds: {
    'MetalLB by itself': { evidence: speaker(refused), confidence: 'certain', cites: ['speaker.log:2'] },
    'the router has another AS': {
      evidence: speaker(
        '{"caller":"native.go:107","error":"read OPEN from \\"10.30.0.1:179\\": unexpected peer ASN 64501, want 64513","level":"error","msg":"failed to connect to peer","peer":"10.30.0.1:179"}',
      ),
      confidence: 'certain',
    },
    FRR: {
      evidence: speaker(
        '2025/03/04 08:10:57 BGP: [HZN6M-XRM1G] %NOTIFICATION: received from neighbor 10.30.0.1 6/5 (Cease/Connection Rejected) 0 bytes',
      ),
      confidence: 'certain',
    },
    'GoBGP in cilium': {
      evidence: {
        'note.txt':
          'level=info msg="Peer Down" Key=10.30.0.1 Reason=hold-timer-expired State=BGP_FSM_ESTABLISHED Topic=Peer component=gobgp.BgpServerInstance subsys=bgp-control-plane\n',
      },
      confidence: 'possible',
    },
    BIRD: { evidence: { 'note.txt': 'bird: Mesh_10_30_0_12: Received: Connection rejected\n' }, confidence: 'possible' },
    'a row of cilium': {
      evidence: { 'note.txt': 'plover-1   64512      64513     10.30.0.1      active          0s       ipv4/unicast   0          0\n' },
      confidence: 'possible',
    },
    'a speaker in trouble': {
      evidence: {
        'note.txt': 'bird: BGP: Unexpected connect from unknown address 10.30.0.9 (port 41231)\n',
        'pods.txt': `NAMESPACE        NAME            READY   STATUS             RESTARTS      AGE   IP           NODE
metallb-system   speaker-x7k2p   0/1     CrashLoopBackOff   4 (20s ago)   8m    10.30.0.12   plover-2
`,
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it came up': {
      evidence: speaker(
        `${refused}\n{"caller":"native.go:70","event":"sessionUp","level":"info","msg":"BGP session established","peer":"10.30.0.1:179"}`,
      ),
      by: 'up',
    },
  },
  asks: {
    'what the speaker says': { evidence: { 'note.txt': 'failed to connect to peer\n' }, for: 'container-log' },
  },
});
