import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const status = (unit: string, active: string) => `● ${unit}.service - of the node
     Loaded: loaded (/lib/systemd/system/${unit}.service; enabled; vendor preset: enabled)
     Active: ${active}
   Main PID: 4120 (code=exited, status=1/FAILURE)
`;
const LOOP = 'activating (auto-restart) (Result: exit-code) since Mon 2026-03-02 10:11:12 UTC; 3s ago';
const counted = `Mar 02 10:11:12 elm-2 systemd[1]: kubelet.service: Scheduled restart job, restart counter is at 482.
Mar 02 10:11:12 elm-2 systemd[1]: Stopped kubelet: The Kubernetes Node Agent.
Mar 02 10:11:12 elm-2 systemd[1]: Started kubelet: The Kubernetes Node Agent.
`;

testCause(cause, {
  finds: {
    'a loop by its status': { evidence: { 'status.txt': status('kubelet', LOOP) }, confidence: 'possible' },
    'without its heading, the word kubelet above': {
      evidence: {
        'paste.txt': `kubelet 一直在重启\n   Active: ${LOOP}\n  Process: 99 ExecStart=/usr/bin/kubelet $KUBELET_CONFIG_ARGS (code=exited, status=255)\n`,
      },
      confidence: 'possible',
    },
    'one line of systemd': {
      evidence: {
        'paste.txt':
          "kubelet.service: Main process exited, code=exited, status=1/FAILURE\nkubelet.service: Failed with result 'exit-code'.\n",
      },
      confidence: 'possible',
    },
    'many restarts': { evidence: { 'journal.txt': counted }, confidence: 'possible', place: 'node elm-2' },
    'k3s does not start': {
      evidence: {
        'paste.txt':
          'Job for k3s.service failed because the control process exited with error code.\nSee "systemctl status k3s.service" and "journalctl -xe" for details.\n',
      },
      confidence: 'possible',
    },
    'microk8s tells only that': {
      evidence: { 'paste.txt': '$ microk8s status\nmicrok8s is not running. Use microk8s inspect for a deeper inspection.\n' },
      confidence: 'possible',
    },
    'k3s by its status': { evidence: { 'status.txt': status('k3s-agent', LOOP) }, confidence: 'possible' },
  },
  rulesOut: {
    'it says why': {
      evidence: {
        'journal.txt': `${counted}Mar 02 10:11:13 elm-2 kubelet[4120]: E0302 10:11:13.118402    4120 run.go:74] "command failed" err="something of its own"\nMar 02 10:11:13 elm-2 systemd[1]: kubelet.service: Main process exited, code=exited, status=1/FAILURE\n`,
      },
      by: 'words',
    },
    'it came up': {
      evidence: {
        'journal.txt': `${counted}Mar 02 10:12:13 elm-2 kubelet[4120]: I0302 10:12:13.118402    4120 kubelet_node_status.go:76] "Successfully registered node" node="elm-2"\n`,
      },
      by: 'cameUp',
    },
    'kubeadm waits for it': {
      evidence: {
        'paste.txt':
          "kubelet.service: Main process exited, code=exited, status=1/FAILURE\nerror execution phase wait-control-plane: couldn't initialize a Kubernetes cluster\n",
      },
      by: 'waits',
    },
  },
  asks: { 'its journal': { evidence: { 'status.txt': status('kubelet', LOOP) }, for: 'kubelet-log' } },
});
