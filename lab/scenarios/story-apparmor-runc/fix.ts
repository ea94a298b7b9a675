import { defineFix } from '../../src/fixes/define-fix.ts';
import { commandState, filesState } from '../../src/fixes/states.ts';
import { podsIn } from '../../src/vm/observe.ts';
import { scenario } from './scenario.ts';

export const fix = defineFix({
  scenario,
  node: 'vm-a',
  state: async (lab) => {
    const node = lab.node('vm-a');
    const loaded = "grep -c '^runc ' /sys/kernel/security/apparmor/profiles; ls /etc/apparmor.d/disable 2> /dev/null; true";
    return `${await commandState(node, loaded)}${await filesState(node, ['/etc/apparmor.d/runc'])}`;
  },
  proofs: [
    {
      what: 'the pods in Terminating are gone',
      withinSeconds: 180,
      holds: async (lab, namespace) => (await podsIn(lab, namespace)).length === 0,
    },
  ],
});
