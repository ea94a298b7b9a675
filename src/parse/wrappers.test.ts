import { describe, expect, it } from 'vitest';
import { unwrapped } from './wrappers.ts';

describe('commands run elsewhere', () => {
  it.each([
    ["ssh root@worker-2 'df -h'", 'worker-2', 'df -h'],
    ['ssh -i ~/.ssh/key -p 2222 ubuntu@node-5 journalctl -u kubelet', 'node-5', 'journalctl -u kubelet'],
    ['docker exec -it kind-control-plane crictl ps -a', 'kind-control-plane', 'crictl ps -a'],
    ['docker exec k3d-lab-agent-0 ip route', 'k3d-lab-agent-0', 'ip route'],
    ['minikube ssh -- sudo journalctl -u kubelet', 'minikube', 'sudo journalctl -u kubelet'],
    ['minikube ssh -n minikube-m02 "ip a"', 'minikube-m02', 'ip a'],
    ['oc debug node/worker-2 -- chroot /host df -h', 'worker-2', 'df -h'],
    ['kubectl debug node/worker-2 -it --image=busybox -- chroot /host systemctl status kubelet', 'worker-2', 'systemctl status kubelet'],
  ])('%s', (command, host, run) => {
    expect(unwrapped({ host: 'laptop', command })).toEqual({ host, command: run });
  });

  it('names no node by its address', () => {
    expect(unwrapped({ host: 'laptop', command: 'ssh root@10.0.0.5 df -h' })).toEqual({ command: 'df -h' });
  });

  it.each([
    'docker exec -it web-app df -h',
    'kubectl exec -it web-0 -- df -h',
    'ssh worker-2',
    'minikube ssh',
    'kubectl debug -it web-0 --image=busybox -- sh',
    'oc debug node/worker-2',
    'df -h',
    '',
  ])('stays as typed: %s', (command) => {
    expect(unwrapped({ host: 'laptop', command })).toEqual({ host: 'laptop', command });
  });
});
