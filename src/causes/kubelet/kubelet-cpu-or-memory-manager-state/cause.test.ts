import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kubelet = (message: string) => `Mar 04 08:10:57 alder kubelet[901]: E0304 08:10:57.118402     901 ${message}\n`;
const start = (error: string) => kubelet(`kubelet.go:1542] "Failed to start ContainerManager" err="${error}"`);
const cpu = start(
  'start cpu manager error: could not restore state from checkpoint: configured policy \\"static\\" differs from state checkpoint policy \\"none\\", please drain this node and delete the CPU manager checkpoint file \\"/var/lib/kubelet/cpu_manager_state\\" before restarting Kubelet',
);

testCause(cause, {
  finds: {
    'cut short': {
      evidence: {
        'journal.txt':
          'Mar 02 10:11:12 elm-2 kubelet[2211]: E0302 10:11:12.118402    2211 kubelet.go:1544] "Failed to start ContainerManager" err="could not restore state from checkpoint: checkpoint is corrupted"\n',
      },
      confidence: 'certain',
    },
    'the policy was changed': {
      evidence: { 'kubelet.log': cpu },
      confidence: 'certain',
      place: 'node alder',
      cites: ['kubelet.log:1'],
    },
    'an old kubelet': {
      evidence: {
        'kubelet.log': kubelet(
          'cpu_manager.go:10] [cpumanager] state file: unable to restore state from disk (policy configured "static" != policy from state file "none")',
        ),
      },
      confidence: 'certain',
    },
    'memory of another size': {
      evidence: {
        'kubelet.log':
          kubelet(
            'policy_static.go:90] "Invalid state, please drain node and remove policy state file" err="[memorymanager] the expected machine state is different from the real one"',
          ) + start('start memory manager error: [memorymanager] the expected machine state is different from the real one'),
        'config.yaml': 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nmemoryManagerPolicy: Static\n',
      },
      confidence: 'certain',
    },
    'CPUs were added to the machine': {
      evidence: {
        'kubelet.log': kubelet(
          'policy_static.go:159] "Static policy invalid state, please drain node and remove policy state file" err="current set of available CPUs \\"0-7\\" doesn\'t match with CPUs in state \\"0-3\\""',
        ),
      },
      confidence: 'certain',
    },
    'reserved memory does not add up': {
      evidence: {
        'kubelet.log': kubelet(
          'run.go:74] "command failed" err="failed to run Kubelet: the total amount \\"1Gi\\" of type \\"memory\\" is not equal to the value \\"1124Mi\\" determined by Node Allocatable feature"',
        ),
      },
      confidence: 'certain',
    },
    'the state of pod allocation is damaged, as a bare line': {
      evidence: {
        'paste.txt':
          'E0304 08:10:57.118402     901 status_manager.go:203] "Could not initialize pod allocation checkpoint manager, please drain node and remove policy state file" err="could not restore state from checkpoint: unexpected end of JSON input, please drain this node and delete pod allocation checkpoint file \\"/var/lib/kubelet/pod_status_manager_state\\" before restarting Kubelet"\n',
      },
      confidence: 'certain',
    },
    'the state of claims is damaged': {
      evidence: {
        'kubelet.log': start(
          'failed to create DRA manager: failed to create ClaimInfo cache: error calling GetOrCreate() on checkpoint state: checkpoint is corrupted',
        ),
      },
      confidence: 'certain',
    },
    'static without reserved CPU, as a bare line': {
      evidence: {
        'paste.txt':
          'E0304 08:10:57.118402     901 server.go:302] failed to run Kubelet: [cpumanager] the static policy requires systemreserved.cpu + kubereserved.cpu to be greater than zero\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it has started since': {
      evidence: {
        'kubelet.log': `${cpu}Mar 04 08:20:57 alder kubelet[977]: I0304 08:20:57.118402     977 server.go:1264] "Started kubelet"\n`,
      },
      by: 'cameUp',
    },
    'the disk is full': {
      evidence: {
        'kubelet.log': `${cpu}${kubelet('state_checkpoint.go:158] "Failed to save checkpoint" err="write /var/lib/kubelet/.cpu_manager_state1: no space left on device"')}`,
      },
      by: 'noSpace',
    },
  },
  asks: { 'the settings': { evidence: { 'kubelet.log': cpu }, for: 'kubelet-config' } },
});
