// The four stories, whole as they are: the answer must come first.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const expected = {
  '000': [['cgroup-driver-kubelet-systemd-runtime-cgroupfs', 'node ubuntu-2', ['probable', 'possible']]],
  '001': [['cgroup-driver-kubelet-systemd-runtime-cgroupfs'], ['apparmor-denies-runc-signal']],
  '002': [['dockerd-lost-containerd', 'node test-node1', ['possible', 'probable']]],
  '003': [['host-missing-iscsi-longhorn', 'namespace longhorn-system', ['certain']]],
};
let failed = 0;
for (const [prefix, incidents] of Object.entries(expected)) {
  const file = readdirSync(folder).find((name) => name.startsWith(prefix));
  const { stdout } = spawnSync('node', ['dist/cli/main.js', join(folder, file), '-o', 'json'], { encoding: 'utf8' });
  const report = JSON.parse(stdout);
  const said = report.incidents.map(({ cause, place, confidence }) => `${confidence} ${cause} at ${place}`);
  const right = incidents.every(([cause, place, sure], index) => {
    const incident = report.incidents[index];
    return incident?.cause === cause && (!place || incident.place === place) && (!sure || sure.includes(incident.confidence));
  });
  if (!right) failed++;
  console.log(`${right ? 'right' : 'WRONG'}  ${prefix}  ${said.join('; ')}`);
}
process.exit(failed > 0 ? 1 : 0);
