import { describe, expect, it } from 'vitest';
import { contextOfPrompt } from './context.ts';

const placeAfter = (host: string | undefined) =>
  contextOfPrompt({ ...(host === undefined ? {} : { host }), command: 'curl shop.example' }, { doc: 'a.txt', node: 'Node/plover-1' });

describe('the place of a prompt', () => {
  it('is the host it names, or the one before', () => {
    expect(placeAfter('heron-3')).toMatchObject({ node: 'Node/heron-3' });
    expect(placeAfter(undefined)).toMatchObject({ node: 'Node/plover-1' });
  });

  it('is a pod where the host has the name of one', () => {
    expect(placeAfter('cart-5d9c7b6f8-q2w4z')).toMatchObject({ pod: 'Pod/?/cart-5d9c7b6f8-q2w4z' });
    expect(placeAfter('cart-5d9c7b6f8-q2w4z').node).toBeUndefined();
  });

  it.each(['bash-5.1', 'sh-4.4', 'bash-4.2'])('is unknown in a shell without settings: %s', (host) => {
    expect(placeAfter(host).node).toBeUndefined();
  });
});

describe('a daemon that is started by hand', () => {
  const contextAfter = (command: string) => contextOfPrompt({ host: 'heron-3', command }, { doc: 'a.txt' });

  it.each([
    ['containerd', 'containerd-log'],
    ['dockerd --debug', 'docker-log'],
    ['/usr/bin/kubelet --config=/var/lib/kubelet/config.yaml', 'kubelet-log'],
    ['k3s server --docker', 'kubelet-log'],
    ['rke2 server', 'system-log'],
  ])('%s writes its log there', (command, channel) => {
    expect(contextAfter(command)).toMatchObject({ node: 'Node/heron-3', channel });
  });

  it.each(['containerd --version', 'containerd config default', 'crio config', 'kubelet --version', 'k3s kubectl get pods'])(
    '%s only asks',
    (command) => {
      expect(contextAfter(command).channel).toBeUndefined();
    },
  );
});
