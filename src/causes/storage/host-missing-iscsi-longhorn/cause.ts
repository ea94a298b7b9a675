import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const noIscsiadm = line(
  ['failed to execute iscsiadm', 'iscsiadm/open-iscsi installed on the host'],
  'container-log',
  /failed to execute iscsiadm(?<text>: No such file or directory)?|iscsiadm\/open-iscsi installed/,
);
const missingPackages = line('Missing packages', ['objects', 'container-log'], /Missing packages:? ?\[(?<packages>[^\]]*iscsi[^\]]*)\]/);
const denied = line(
  ['cannot open /host/proc/1/ns', 'nsenter: reassociate to namespace'],
  'container-log',
  /nsenter: (?:cannot open|reassociate).{0,200}(?:Permission denied|Operation not permitted)/,
);
const daemonDown = line('can not connect to iSCSI daemon', 'container-log');

export const cause = defineCause({
  id: 'host-missing-iscsi-longhorn',
  area: 'storage',
  at: 'Namespace',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts'],

  text: {
    name: 'Hosts lack open-iscsi',
    title: 'The hosts of Longhorn lack open-iscsi (iscsiadm is not installed)',
    why: 'Longhorn attaches its volumes by iSCSI and runs the iscsiadm of the host. Where the package is missing, longhorn-manager fails its environment check and exits at every start; all that waits for it waits too.',
  },

  clues: {
    noTool: proves(noIscsiadm),
    condition: proves(missingPackages),
    absentOnHost: supports('host.tool', ({ name, present }) => /iscsi/.test(name) && !present),
    notAllowed: excludes(denied),
    daemon: excludes(daemonDown),
  },
  says: {
    noTool: 'longhorn-manager cannot run iscsiadm on the host: no such program',
    condition: 'Longhorn itself lists the missing packages: {packages}',
    absentOnHost: 'a host has no iscsiadm',
    notAllowed: 'the pod may not enter the host: a matter of privileges, not of packages',
    daemon: 'the package is there, but iscsid does not run',
  },
  slots: (place, { condition }) => ({ namespace: place.name, packages: condition?.fields['packages'] ?? 'open-iscsi' }),

  fixes: [
    {
      say: 'Install open-iscsi on every node that runs Longhorn; no reboot needed',
      risk: 'touches-node',
      steps: [
        { say: 'install the package', run: 'apt-get update && apt-get install -y open-iscsi', on: 'node', family: 'debian' },
        { say: 'install the package', run: 'yum install -y iscsi-initiator-utils', on: 'node', family: 'rhel' },
        { say: 'install the package', run: 'zypper install -y open-iscsi', on: 'node', family: 'suse' },
        { say: 'install the package', run: 'apk add open-iscsi', on: 'node', family: 'alpine' },
        { say: 'install the package', run: 'pacman -S --noconfirm open-iscsi', on: 'node', family: 'arch' },
        {
          say: 'start the daemon and load the module, now and at boot',
          run: 'systemctl enable --now iscsid && modprobe iscsi_tcp && echo iscsi_tcp > /etc/modules-load.d/iscsi_tcp.conf',
          on: 'node',
        },
        {
          say: 'the pods recover within five minutes; to shorten the wait',
          run: 'kubectl -n {{namespace}} delete pod -l app=longhorn-manager',
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'package',
          names: { debian: 'open-iscsi', rhel: 'iscsi-initiator-utils', suse: 'open-iscsi', alpine: 'open-iscsi', arch: 'open-iscsi' },
          command: 'iscsiadm',
        },
        { do: 'module', name: 'iscsi_tcp' },
        { do: 'units', action: 'enable', units: ['iscsid'] },
        { do: 'units', action: 'start', units: ['iscsid'] },
      ],
      verified: 'iscsiadm --version answers on each node and every longhorn-manager is 1/1',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['longhorn-manager app/daemon.go', 'longhorn-manager controller/node_controller.go', 'longhorn issue 4258'],
});
