import { describe, expect, it } from 'vitest';
import type { HostChange } from '../../model/change.ts';
import { asKubelet } from './as-kubelet.ts';
import type { HostState } from './host-state.ts';

const change: HostChange = { do: 'containerd-set', setting: 'SystemdCgroup', value: true, asKubelet: true };

function host(text: string | undefined): HostState {
  const files = new Map(text === undefined ? [] : [['/var/lib/kubelet/config.yaml', { text }]]);
  return { files, configs: { kubelet: '/var/lib/kubelet/config.yaml' } } as unknown as HostState;
}

describe('a driver as the kubelet has it', () => {
  it.each([
    ['cgroupDriver: systemd\n', [true]],
    ['kind: KubeletConfiguration\ncgroupDriver: "cgroupfs" # old\n', [false]],
    ['kind: KubeletConfiguration\n', []],
    ['cgroupDriver: [\n', []],
    [undefined, [true]],
  ])('%j', (text, values) => {
    expect(asKubelet(change, host(text)).map((one) => ('value' in one ? one.value : undefined))).toEqual(values);
  });

  it('leaves every other change alone', () => {
    const plain: HostChange = { do: 'containerd-set', setting: 'SystemdCgroup', value: true };
    expect(asKubelet(plain, host('cgroupDriver: cgroupfs\n'))).toEqual([plain]);
  });
});
