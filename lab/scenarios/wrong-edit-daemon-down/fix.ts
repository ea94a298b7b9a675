import { defineWrongEdit } from '../../src/fixes/wrong-edit.ts';

export const fix = defineWrongEdit({
  id: 'wrong-edit-daemon-down',
  title: 'A new config.toml that reads well, with which containerd does not start',
  spoil: (_, right) => `${right}\n[grpc]\n  address = "/proc/nowhere/containerd.sock"\n`,
  ends: 'rolled-back',
});
