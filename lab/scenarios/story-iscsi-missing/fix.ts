import { defineFix } from '../../src/fixes/define-fix.ts';
import { downloadPackages, offerPackages, withdrawPackages } from '../../src/fixes/package-source.ts';
import { commandState } from '../../src/fixes/states.ts';
import { labPaths } from '../../src/settings.ts';
import { allReady } from '../../src/vm/observe.ts';
import { scenario } from './scenario.ts';

/** What Debian's open-iscsi needs beyond the system of the node. */
const PACKAGES = ['open-iscsi', 'libopeniscsiusr', 'libisns0'];

export const fix = defineFix({
  scenario,
  node: 'vm-a',
  prepare: async (lab) => {
    const node = lab.node('vm-a');
    await offerPackages(node, await downloadPackages(labPaths('').cache, PACKAGES));
    // The package asks for a new initial ramdisk, which takes an emulated processor minutes.
    await node.writeFile('/etc/initramfs-tools/update-initramfs.conf', 'update_initramfs=no\n');
  },
  tidy: (lab) => withdrawPackages(lab.node('vm-a')),
  state: (lab) =>
    commandState(
      lab.node('vm-a'),
      'command -v iscsiadm || echo no iscsiadm; ls -d /sys/module/iscsi_tcp 2>&1; systemctl is-active iscsid; cat /etc/modules-load.d/podcause.conf 2>&1',
    ),
  proofs: [
    {
      what: 'the package is installed and its daemon runs',
      withinSeconds: 10,
      holds: async (lab) => {
        const ran = await lab.node('vm-a').exec('dpkg -s open-iscsi; iscsiadm --version; systemctl is-active iscsid');
        return ran.stdout.includes('install ok installed') && /iscsiadm version/.test(ran.stdout) && /^active$/m.test(ran.stdout);
      },
    },
    { what: 'the manager runs', withinSeconds: 240, holds: (lab, namespace) => allReady(lab, namespace, 1) },
  ],
});
