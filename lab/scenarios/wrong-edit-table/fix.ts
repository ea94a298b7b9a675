import { defineWrongEdit } from '../../src/fixes/wrong-edit.ts';

const ELSEWHERE = '[plugins."io.containerd.grpc.v1.cri".cni]';

export const fix = defineWrongEdit({
  id: 'wrong-edit-table',
  title: 'A new config.toml with the key in a table where nobody reads it',
  spoil: (old) => old.replace(ELSEWHERE, `${ELSEWHERE}\n    config_path = "/etc/containerd/registries"`),
  ends: 'refused',
});
