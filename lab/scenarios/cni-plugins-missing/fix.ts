import { allPodsReady } from '../../src/conditions.ts';
import { must } from '../../src/faults.ts';
import { defineFix } from '../../src/fixes/define-fix.ts';
import { inWorkFolder, makePackage, offerPackages, withdrawPackages } from '../../src/fixes/package-source.ts';
import { commandState } from '../../src/fixes/states.ts';
import { scenario } from './scenario.ts';

const PLUGINS = ['bridge', 'host-local', 'loopback', 'portmap'];

/** The package of the Kubernetes repository, made of the same programs: nodes of the lab reach no network. */
export const fix = defineFix({
  scenario,
  node: 'worker-a',
  prepare: (lab) =>
    inWorkFolder(async (folder) => {
      const files = Object.fromEntries(PLUGINS.map((name) => [`/usr/lib/cni/${name}`, `/opt/cni/bin/${name}`]));
      await offerPackages(lab.node('worker-a'), [await makePackage({ name: 'kubernetes-cni', files }, folder)]);
    }),
  tidy: async (lab) => {
    await withdrawPackages(lab.node('worker-a'));
    // Of this trial alone: the node's programs are those of the machine below it.
    await must(lab.node('worker-a'), 'rm -rf /var/lib/dpkg');
  },
  state: (lab) => commandState(lab.node('worker-a'), 'ls -l /opt/cni/ | cut -c 1-10; ls /opt/cni/bin 2>&1'),
  proofs: [
    {
      what: 'the package is installed',
      withinSeconds: 5,
      holds: async (lab) => (await lab.node('worker-a').exec('dpkg -s kubernetes-cni')).stdout.includes('install ok installed'),
    },
    allPodsReady(),
  ],
});
