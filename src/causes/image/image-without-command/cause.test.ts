import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe_ = (message: string, command = '') => `Name:             store-0
Namespace:        data
Node:             fig-1/10.0.0.5
Status:           Pending
Controlled By:    StatefulSet/store
Containers:
  store:
    Container ID:
    Image:          registry.example.net/data/seed:3
${command}    State:          Waiting
      Reason:       CreateContainerError
    Ready:          False
    Restart Count:  0
Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  2m                 default-scheduler  Successfully assigned data/store-0 to fig-1
  Normal   Pulled     3s (x9 over 2m)    kubelet            Container image "registry.example.net/data/seed:3" already present on machine
  Warning  Failed     3s (x9 over 2m)    kubelet            ${message}
`;
const containerd = 'Error: failed to create containerd container: failed to generate spec: no command specified';

testCause(cause, {
  finds: {
    containerd: {
      evidence: { 'describe.txt': describe_(containerd) },
      confidence: 'certain',
      place: 'StatefulSet data/store',
      cites: ['describe.txt:19'],
      victims: 1,
    },
    Docker: {
      evidence: { 'describe.txt': describe_('Error: Error response from daemon: No command specified', '    Command:\n      true\n') },
      confidence: 'certain',
    },
    'CRI-O, as the kubelet logs it': {
      evidence: {
        'kubelet.log': `Jun 03 10:11:12 fig-1 kubelet[1234]: E0603 10:11:12.000000    1234 pod_workers.go:1298] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"store\\" with CreateContainerError: \\"rpc error: code = Unknown desc = no command specified\\"" pod="data/store-0" podUID="1d5b7a3e-0000-4000-8000-000000000000"\n`,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a command that is not in the image': {
      evidence: {
        'describe.txt': `${describe_(containerd)}  Warning  Failed     1s (x2 over 2m)    kubelet            Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "seed": executable file not found in $PATH: unknown\n`,
      },
      by: 'notInImage',
    },
  },
  asks: { 'what the pod sets': { evidence: { 'line.txt': `${containerd}\n` }, for: 'container.spec' } },
});
