import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                 From               Message
  ----     ------                  ----                ----               -------
  Normal   Scheduled               3m10s               default-scheduler  Successfully assigned radio/relay-5d9c7b6f8-q2w4z to plover-1
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)  kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f2e3a4b5c": ${message}
`;
const missing =
  'plugin type="multus" name="multus-cni-network" failed (add): Multus: [radio/relay-5d9c7b6f8-q2w4z/0b54]: error loading k8s delegates k8s args: TryLoadPodDelegates: error in getting k8s network for pod: GetNetworkDelegates: failed getting the delegate: getKubernetesDelegate: cannot find a network-attachment-definition (field-net) in namespace (radio): network-attachment-definitions.k8s.cni.cncf.io "field-net" not found';

testCause(cause, {
  finds: {
    'an address the kernel refuses': {
      evidence: {
        'describe.txt': events(
          'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "af01": plugin type="multus" name="multus-cni-network" failed (add): [radio/relay:side]: error adding container to network "side": plugin type="macvlan" failed (add): failed to create macvlan: cannot assign requested address',
        ),
      },
      confidence: 'certain',
    },
    'no such definition': {
      evidence: {
        'describe.txt': events(missing),
      },
      confidence: 'certain',
      place: 'Deployment radio/relay',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'no such interface': {
      evidence: {
        'describe.txt': events(
          'plugin type="multus-shim" name="multus-cni-network" failed (add): CmdAdd (shim): CNI request failed with status 400: error adding container to network "field-net": plugin type="macvlan" failed (add): failed to lookup master "bond0.20": Link not found',
        ),
      },
      confidence: 'certain',
      victims: 1,
    },
    'no device': {
      evidence: {
        'describe.txt': events(
          'plugin type="multus" failed (add): [radio/relay/0b54:field-net]: error adding container to network "field-net": SRIOV-CNI failed to load netconf: LoadConf(): VF pci addr is required',
        ),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the daemon is down': {
      evidence: {
        'describe.txt': `${events(missing)}  Warning  FailedCreatePodSandBox  3s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1d1f": plugin type="multus-shim" failed (add): CmdAdd (shim): CheckAPIReadyNow: Daemon not reachable over socketfile\n`,
      },
      by: 'daemon',
    },
  },
  asks: { 'the events': { evidence: { 'note.txt': 'failed to lookup master "bond0.20": Link not found\n' }, for: 'pod-events' } },
});
