import { defineScenario } from '../../src/scenario.ts';
import { allReady, eventsIn, podsIn, waitForReady } from '../../src/vm/observe.ts';
import { resetNode } from '../../src/vm/setup.ts';

/** As newer AppArmor packages bring it: runc gets a name of its own and may still do everything. */
const profile = `profile runc /usr/{bin,sbin}/runc flags=(attach_disconnected) {
  file,
  capability,
  network,
  mount,
  remount,
  umount,
  pivot_root,
  ptrace,
  signal,
  unix,
  dbus,
  change_profile,
}
`;

export const scenario = defineScenario({
  id: 'story-apparmor-runc',
  title: 'an AppArmor profile for runc: its signals are refused and deleted pods stay in Terminating',
  on: 'vm-a',
  manifest: true,
  ready: { what: 'both pods run', withinSeconds: 420, holds: (lab, namespace) => allReady(lab, namespace, 2) },
  breakIt: async (lab, namespace) => {
    const node = lab.node('vm-a');
    await node.writeFile('/etc/apparmor.d/runc', profile);
    const loaded = await node.exec('apparmor_parser -r -W /etc/apparmor.d/runc');
    if (loaded.code !== 0) throw new Error(`the profile was not loaded: ${loaded.stderr.trim()}`);
    await lab.kubectl(['scale', 'deployment', 'checkout', '--replicas=0', '-n', namespace]);
  },
  until: {
    what: 'both pods hang in Terminating because runc may not signal them',
    withinSeconds: 420,
    holds: async (lab, namespace) => {
      const stuck = (await podsIn(lab, namespace)).filter(({ deleting }) => deleting);
      const refused = (await eventsIn(lab, namespace)).filter(
        ({ reason, message }) => reason === 'FailedKillPod' && message.includes('permission denied'),
      );
      return stuck.length >= 2 && new Set(refused.map(({ object }) => object)).size >= 2;
    },
  },
  expect: { cause: 'apparmor-denies-runc-signal', place: 'node vm-a', confidence: 'certain', victims: 2 },
  never: ['finalizer-blocks-deletion', 'node-unreachable'],
  host: ['vm-a'],
  evidence: {
    node: [
      { node: 'vm-a', command: 'journalctl -u kubelet -n 40 --no-pager' },
      { node: 'vm-a', command: 'journalctl -k --no-pager | grep -i apparmor | tail -20' },
      { node: 'vm-a', command: 'aa-status' },
      { node: 'vm-a', command: 'containerd --version; runc --version; kubelet --version' },
    ],
  },
  restore: async (lab) => {
    const node = lab.node('vm-a');
    await node.exec('apparmor_parser -R /etc/apparmor.d/runc; rm -f /etc/apparmor.d/runc');
    await resetNode(node);
    await waitForReady(lab, 'vm-a');
  },
});
