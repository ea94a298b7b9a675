import { describe, expect, it } from 'vitest';
import { parseBareCommand, parsePrompt } from './prompt.ts';

describe('prompts', () => {
  it.each([
    ['[root@node-7 ~]# docker ps -a', 'node-7', 'docker ps -a'],
    ['[user@bastion.example.org kube]$ kubectl get pods', 'bastion.example.org', 'kubectl get pods'],
    ['root@cp-1:~# journalctl -u kubelet', 'cp-1', 'journalctl -u kubelet'],
    ['ubuntu@ip-10-0-1-5:~/work$ systemctl status docker', 'ip-10-0-1-5', 'systemctl status docker'],
    ['sles1:~ # crictl ps', 'sles1', 'crictl ps'],
    ['master $ kubectl get po', 'master', 'kubectl get po'],
    ['sam@lab:~/> kubectl get po', 'lab', 'kubectl get po'],
    ['MacBook-Pro:work sam$ kubectl get pods', 'MacBook-Pro', 'kubectl get pods'],
  ])('reads host and command of %s', (line, host, command) => {
    expect(parsePrompt(line)).toEqual({ host, command });
  });

  it.each([
    ['/ # nslookup ledger', 'nslookup ledger'],
    ['$ kubectl get nodes', 'kubectl get nodes'],
    ['# systemctl status kubelet', 'systemctl status kubelet'],
    ['# kill -9 4711', 'kill -9 4711'],
    ['# mount', 'mount'],
    ['# find /sys/fs/cgroup -name x', 'find /sys/fs/cgroup -name x'],
    ['# for i in 1 2; do date; done', 'for i in 1 2; do date; done'],
    ['# watch kubectl get pods', 'watch kubectl get pods'],
    ['➜  ~ kubectl get po', 'kubectl get po'],
    ['➜  work git:(main) kubectl get po', 'kubectl get po'],
    ['PS C:\\Users\\x> kubectl get po', 'kubectl get po'],
  ])('reads the command of %s', (line, command) => {
    expect(parsePrompt(line)).toEqual({ command });
  });

  it.each([
    '# A heading',
    '# for containers run by docker',
    '# kill only the docker process, not all processes in the cgroup',
    '# mount the disk first',
    '## Symptoms',
    '> quoted text',
    'Events:',
    '$ 5 a month',
    'Jul 19 20:54:58 host kubelet[1]: x',
    'me@example.org wrote: $ is fine',
  ])('takes no prompt from %s', (line) => {
    expect(parsePrompt(line)).toBeUndefined();
  });

  it('knows a command without a prompt only when it is sure', () => {
    expect(parseBareCommand('kubectl -n kube-system logs kube-proxy-x')).toEqual({ command: 'kubectl -n kube-system logs kube-proxy-x' });
    expect(parseBareCommand('kubectl is the tool to use here')).toBeUndefined();
    expect(parseBareCommand('docker ps 报错：Cannot connect to the Docker daemon')).toBeUndefined();
  });

  it.each([
    'ip a',
    'ip addr show cni0',
    'ip -4 route',
    'iptables -L -n -v',
    'sudo iptables-save | grep -i reject',
    'ss -lntp',
    'netstat -nr',
    'df -h',
    'free -m',
    'swapon --show',
    'findmnt -o TARGET,PROPAGATION /',
    'mount | grep kubelet',
    'multipath -ll',
    'iscsiadm -m session',
    'showmount -e nfs.example',
    'openssl x509 -in /etc/kubernetes/pki/apiserver.crt -noout -dates',
    'ping -c 3 10.0.0.1',
    'curl -k https://10.96.0.1:443/version',
    'nc -zv 10.0.0.1 2049',
    'telnet 10.0.0.1 6443',
    'nslookup kubernetes.default',
    'dig @10.96.0.10 kubernetes.default.svc.cluster.local',
    'lsmod | grep br_netfilter',
  ])('knows a command of a host: %s', (line) => {
    expect(parseBareCommand(line)).toEqual({ command: line });
  });

  it.each([
    'ip addresses were changed last week',
    'mount',
    'mount points are missing on the node',
    'free memory is low',
    'route the traffic elsewhere',
    'ping works from the other node',
    'curl fails as well',
    'telnet does not answer',
    'df shows 100%',
    'nslookup fails in the pod',
    'iptables rules look fine',
    'ss is empty',
  ])('takes no command from %s', (line) => {
    expect(parseBareCommand(line)).toBeUndefined();
  });
});
