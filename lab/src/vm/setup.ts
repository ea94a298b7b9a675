import { readFileSync } from 'node:fs';
import type { LabNode, Ran } from '../lab.ts';
import { SANDBOX_IMAGE } from '../node/configuration.ts';
import { kubernetesVersions } from './guest-files.ts';
import { type CgroupDriver, kubeletConfig, kubeletFlags } from './kubernetes.ts';

export interface Drivers {
  readonly kubelet: CgroupDriver;
  readonly runtime: CgroupDriver;
}

const agreeing: Drivers = { kubelet: 'systemd', runtime: 'systemd' };

/** Kubelet and containerd as kubeadm would have them; the drivers may be made to disagree. Pods that run are left alone. */
export async function useContainerd(node: LabNode, drivers: Drivers = agreeing): Promise<void> {
  await node.writeFile('/var/lib/kubelet/config.yaml', kubeletConfig({ driver: drivers.kubelet, runtime: 'containerd' }));
  await mustExec(
    node,
    [
      'systemctl stop kubelet docker.socket docker 2> /dev/null',
      'mkdir -p /etc/containerd /etc/kubernetes/manifests',
      `containerd config default | sed -e ${containerdEdits(drivers.runtime)} > /etc/containerd/config.toml`,
      `ln -sfn /opt/kubernetes/${kubernetesVersions.containerd}/kubelet /usr/bin/kubelet && ln -sfn kubelet.containerd /etc/default/kubelet`,
      'systemctl restart containerd && systemctl restart kubelet',
    ].join('; '),
  );
}

/** Debian keeps the CNI plugins elsewhere than containerd's default says. */
function containerdEdits(driver: CgroupDriver): string {
  const image = `s|sandbox_image = .*|sandbox_image = "${SANDBOX_IMAGE}"|`;
  const edits = ['s|/opt/cni/bin|/usr/lib/cni|', image, ...(driver === 'systemd' ? ['s/SystemdCgroup = false/SystemdCgroup = true/'] : [])];
  return edits.map((edit) => `'${edit}'`).join(' -e ');
}

/** The kubelet before 1.24 with its own Docker client, and Docker on the containerd that Debian ships beside it. */
export async function useDocker(node: LabNode): Promise<void> {
  await node.writeFile('/var/lib/kubelet/config.yaml', kubeletConfig({ driver: 'systemd', runtime: 'docker' }));
  await node.writeFile(
    '/etc/docker/daemon.json',
    '{ "exec-opts": ["native.cgroupdriver=systemd"], "iptables": false, "bridge": "none" }\n',
  );
  await mustExec(
    node,
    [
      'systemctl stop kubelet',
      endContainers,
      'rm -rf /var/lib/kubelet/pods /var/lib/kubelet/*_state',
      'rm -f /etc/containerd/config.toml',
      'systemctl restart containerd && systemctl restart docker || exit 1',
      'for archive in /opt/images/*.tar; do docker load -q -i "$archive"; done',
      `ln -sfn /opt/kubernetes/${kubernetesVersions.docker}/kubelet /usr/bin/kubelet && ln -sfn kubelet.docker /etc/default/kubelet`,
      'systemctl restart kubelet',
    ].join('; '),
    300,
  );
}

/** Takes every container of the other runtime away, so that the next kubelet finds a clean node. */
export async function emptyNode(node: LabNode): Promise<void> {
  await mustExec(node, ['systemctl stop kubelet', 'docker ps -aq 2> /dev/null | xargs -r docker rm -f', endContainers].join('; '), 300);
}

/** A driver that is no longer used leaves its empty groups behind, and they would be evidence of a change of drivers. */
const forgetCgroups = "find /sys/fs/cgroup -depth -type d -path '*kubepods*' -exec rmdir {} + 2> /dev/null";

/** Everything back to how a fresh boot has it, the journals too: the next story's hour must not show this one's faults. */
export async function resetNode(node: LabNode): Promise<void> {
  await emptyNode(node);
  await mustExec(
    node,
    `${forgetCgroups}; journalctl --rotate; journalctl --vacuum-time=1s; dmesg -C; rm -rf /var/lib/kubelet/pods /var/lib/kubelet/*_state`,
  );
  await useContainerd(node);
}

const endContainers = [
  'for task in $(ctr -n k8s.io tasks ls -q); do ctr -n k8s.io tasks kill -s KILL "$task"; done',
  'sleep 2',
  'for one in $(ctr -n k8s.io containers ls -q); do ctr -n k8s.io tasks rm -f "$one" 2> /dev/null; ctr -n k8s.io containers rm "$one"; done',
].join('; ');

/** Both sets of flags lie in the guest; a change of runtime only changes which of them the unit reads. */
export async function writeKubeletFlags(node: LabNode, address: string): Promise<void> {
  for (const runtime of ['containerd', 'docker'] as const) {
    await node.writeFile(
      `/etc/default/kubelet.${runtime}`,
      kubeletFlags({ name: node.name, address, runtime, sandboxImage: SANDBOX_IMAGE }),
    );
  }
}

/** The archives go over the command channel and stay in the guest, where Docker needs them again. */
export async function importImages(node: LabNode, archives: readonly string[]): Promise<void> {
  for (const [index, archive] of archives.entries()) {
    const place = `/opt/images/${index}.tar`;
    await mustExec(node, `mkdir -p /opt/images && base64 -d > ${place}`, 120, readFileSync(archive).toString('base64'));
    await mustExec(node, `ctr -n k8s.io images import ${place}`, 180);
  }
}

async function mustExec(node: LabNode, command: string, timeoutSeconds = 180, input?: string): Promise<Ran> {
  const ran = await node.exec(command, { timeoutSeconds, ...(input === undefined ? {} : { input }) });
  if (ran.code !== 0)
    throw new Error(`${node.name}: ${command.slice(0, 120)} failed with ${ran.code}: ${(ran.stderr || ran.stdout).trim()}`);
  return ran;
}
