import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const memory =
  'TASK [kubernetes/preinstall : Stop if memory is too small for nodes] ****\nfatal: [elm-1]: FAILED! => {"assertion": "ansible_memtotal_mb >= minimal_node_memory_mb", "changed": false, "evaluated_to": false, "msg": "Assertion failed"}\n';

testCause(cause, {
  finds: {
    'too little memory': { evidence: { 'paste.txt': memory }, confidence: 'certain' },
    'a program missing': {
      evidence: { 'paste.txt': '10:11:12 CST [ERRO] elm-1: conntrack is required.\n10:11:12 CST [ERRO] elm-1: socat is required.\n' },
      confidence: 'certain',
    },
    'no login': {
      evidence: {
        'paste.txt':
          'fatal: [elm-2]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect to the host via ssh: root@10.8.0.4: Permission denied (publickey,password).", "unreachable": true}\n',
      },
      confidence: 'certain',
    },
    'a step of KubeKey': {
      evidence: {
        'paste.txt':
          '10:11:12 CST failed: [elm-1] [InitKubernetes] exec failed after 3 retries: init kubernetes cluster failed: Failed to exec command: sudo -E /bin/bash -c "kubeadm init"\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: { 'it came to its end': { evidence: { 'paste.txt': `${memory}Installation is complete.\n` }, by: 'passed' } },
  asks: { 'what the host has': { evidence: { 'paste.txt': memory }, for: 'host-tools' } },
});
