import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

const node = 'Node/heron-1';

describe('what a host prints instead of an answer', () => {
  it('says that a file is not there, without making it an error', () => {
    const heard = hear('cat: /etc/containerd/config.toml: No such file or directory', { command: 'cat /etc/containerd/config.toml', node });
    expect(heard.sayings).toMatchObject([{ channel: 'containerd-config', level: 'info', about: node }]);
    expect(heard.coverage).toEqual([]);
  });

  it.each([
    ['cat /var/lib/kubelet/config.yaml', 'cat: /var/lib/kubelet/config.yaml: Permission denied', 'kubelet-config'],
    [
      'openssl x509 -noout -in /etc/kubernetes/pki/ca.crt',
      "Can't open /etc/kubernetes/pki/ca.crt for reading, Permission denied",
      'host-state',
    ],
    ['dmesg -T | tail -n 1000', 'dmesg: read kernel buffer failed: Operation not permitted', 'kernel-log'],
    ['aa-status', 'You do not have enough privilege to read the profile set.', 'apparmor-state'],
    ['cat /sys/kernel/security/apparmor/profiles', 'cat: /sys/kernel/security/apparmor/profiles: Permission denied', 'apparmor-state'],
  ])('covers as denied what %s may not read', (command, text, channel) => {
    const heard = hear(text, { command, node });
    expect(heard.coverage).toMatchObject([{ channel, extent: 'denied', about: node }]);
  });

  it('covers as denied the journal that only root sees', () => {
    const text = `Hint: You are currently not seeing messages from other users and the system.
      Users in groups 'adm', 'systemd-journal' can see all messages.
      Pass -q to turn off this notice.`;
    const heard = hear(text, { command: 'journalctl -u kubelet', channel: 'kubelet-log', node });
    expect(heard.coverage.map(({ channel, extent }) => `${channel} ${extent}`)).toEqual(Array(3).fill('kubelet-log denied'));
  });

  it.each([
    ['ctr --address /run/containerd/containerd.sock plugins ls', 'containerd'],
    ['crictl --runtime-endpoint unix:///run/crio/crio.sock info', 'crio'],
    ['docker info', 'docker'],
  ])('takes silence after %s for the runtime’s', (command, runtime) => {
    const heard = hear('podcause: no answer within 3 s', { command, node });
    expect(told(heard, 'runtime.setting')).toEqual([{ about: node, runtime, key: 'answers', value: 'no', source: 'effective' }]);
    expect(heard.coverage).toMatchObject([{ extent: 'failed' }]);
    expect(told(hear('podcause: no answer within 3 s', { command: 'df -hP', node }), 'runtime.setting')).toEqual([]);
  });

  it('leaves the same words in a container’s log alone', () => {
    expect(hear('cat: /etc/x: Permission denied', { command: 'kubectl logs web-0', channel: 'container-log' }).taken).toEqual([]);
    expect(hear('cat: /etc/x: Permission denied').taken).toEqual([]);
  });
});

describe('what a client of the runtime prints', () => {
  const command = 'crictl --runtime-endpoint unix:///run/containerd/containerd.sock info';

  it('tells a runtime that hangs', () => {
    const heard = hear(
      'FATA[0003] Version from runtime service failed: rpc error: code = DeadlineExceeded desc = context deadline exceeded',
      {
        command,
        node,
      },
    );
    expect(told(heard, 'runtime.setting')).toMatchObject([{ key: 'answers', value: 'no' }]);
    expect(heard.sayings).toMatchObject([{ channel: 'runtime-state', level: 'error', about: node }]);
    expect(heard.sayings[0]?.text).toMatch(/^Version from runtime service failed: /);
  });

  it('tells the same of a dial that fails, whoever dials', () => {
    const crictl =
      'FATA[0000] Version from runtime service failed: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: connection refused"';
    const ctr =
      'ctr: failed to dial "/run/containerd/containerd.sock": connection error: desc = "transport: error while dialing: dial unix:///run/containerd/containerd.sock: connect: connection refused"';
    for (const [text, by] of [
      [crictl, command],
      [ctr, 'ctr --address /run/containerd/containerd.sock version'],
    ] as const) {
      const [saying] = hear(text, { command: by, node }).sayings;
      expect(saying?.text).toContain('dial unix /run/containerd/containerd.sock: connect: connection refused');
      expect(saying?.text).not.toContain('failed to dial');
    }
  });

  it('takes a question older runtimes do not know for no trouble, a missing service for one', () => {
    const level = (words: string) =>
      hear(`FATA[0000] X from runtime service failed: rpc error: code = Unimplemented desc = ${words}`, { command, node }).sayings[0]
        ?.level;
    expect(level('unknown method RuntimeConfig for service runtime.v1.RuntimeService')).toBe('info');
    expect(level('unknown service runtime.v1.RuntimeService')).toBe('error');
  });
});
