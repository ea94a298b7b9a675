import { defineWrongEdit } from '../../src/fixes/wrong-edit.ts';

export const fix = defineWrongEdit({
  id: 'wrong-edit-unparsable',
  title: 'A new config.toml that containerd cannot parse',
  spoil: (_, right) => `${right}\n[plugins."never closed\n`,
  ends: 'refused',
});
