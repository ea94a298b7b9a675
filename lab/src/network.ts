import { existsSync } from 'node:fs';
import { attempt, must, runCommand } from './run-command.ts';
import {
  API_ADDRESS,
  API_PORT,
  API_SERVICE_ADDRESS,
  BRIDGE,
  CONTROL_NETWORK_NAMESPACE,
  HOST_ADDRESS,
  HOST_LINK,
  LAB_NETWORK,
  NAMESPACE_NODES,
  type NodeSettings,
  networkNamespace,
  SERVICE_NETWORK,
} from './settings.ts';

/** The program and arguments that run something in a network namespace; `ip netns exec` would remount /sys under it. */
export function inNetwork(namespace: string, command: string, args: readonly string[]): readonly [string, readonly string[]] {
  return ['nsenter', [`--net=/run/netns/${namespace}`, command, ...args]];
}

async function inside(namespace: string, command: string, ...args: string[]): Promise<void> {
  await must(...inNetwork(namespace, command, args));
}

function hasNamespace(name: string): boolean {
  return existsSync(`/run/netns/${name}`);
}

/** A network namespace with a bridge; the API server sits on the bridge's address, nodes and host are plugged into it. */
export async function makeNetwork(): Promise<void> {
  if (!hasNamespace(CONTROL_NETWORK_NAMESPACE)) await makeControlNetwork();
  for (const node of NAMESPACE_NODES) {
    if (!hasNamespace(networkNamespace(node.name))) await makeNodeNetwork(node);
  }
}

async function makeControlNetwork(): Promise<void> {
  const control = CONTROL_NETWORK_NAMESPACE;
  await must('ip', ['netns', 'add', control]);
  await inside(control, 'ip', 'link', 'set', 'lo', 'up');
  await inside(control, 'ip', 'link', 'add', BRIDGE, 'type', 'bridge');
  await inside(control, 'ip', 'address', 'add', `${API_ADDRESS}/24`, 'dev', BRIDGE);
  await inside(control, 'ip', 'link', 'set', BRIDGE, 'up');
  await attempt('ip', ['link', 'delete', HOST_LINK]);
  await must('ip', ['link', 'add', HOST_LINK, 'type', 'veth', 'peer', 'name', 'to-host', 'netns', control]);
  await inside(control, 'ip', 'link', 'set', 'to-host', 'master', BRIDGE, 'up');
  await must('ip', ['address', 'add', `${HOST_ADDRESS}/24`, 'dev', HOST_LINK]);
  await must('ip', ['link', 'set', HOST_LINK, 'up']);
  await inside(control, 'sysctl', '-qw', 'net.ipv4.ip_forward=1');
  for (const node of NAMESPACE_NODES) {
    await inside(control, 'ip', 'route', 'add', node.podNetwork, 'via', node.address);
    await must('ip', ['route', 'replace', node.podNetwork, 'via', node.address]);
  }
  // No kube-proxy runs here: its answer for a service without endpoints is given to all of them.
  await inside(control, 'ip', 'route', 'add', SERVICE_NETWORK, 'via', HOST_ADDRESS);
  await inside(control, 'iptables', '-A', 'OUTPUT', '-d', SERVICE_NETWORK, '-p', 'tcp', '-j', 'REJECT', '--reject-with', 'tcp-reset');
}

async function makeNodeNetwork(node: NodeSettings): Promise<void> {
  const name = networkNamespace(node.name);
  await must('ip', ['netns', 'add', name]);
  await inside(name, 'ip', 'link', 'set', 'lo', 'up');
  await must('nsenter', [
    `--net=/run/netns/${CONTROL_NETWORK_NAMESPACE}`,
    ...['ip', 'link', 'add', node.name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name],
  ]);
  await inside(CONTROL_NETWORK_NAMESPACE, 'ip', 'link', 'set', node.name, 'master', BRIDGE, 'up');
  await inside(name, 'ip', 'address', 'add', `${node.address}/24`, 'dev', 'eth0');
  await inside(name, 'ip', 'link', 'set', 'eth0', 'up');
  await inside(name, 'ip', 'route', 'add', 'default', 'via', API_ADDRESS);
  await inside(name, 'sysctl', '-qw', 'net.ipv4.ip_forward=1');
  for (const other of NAMESPACE_NODES) {
    if (other.name !== node.name) await inside(name, 'ip', 'route', 'add', other.podNetwork, 'via', other.address);
  }
  for (const chain of ['PREROUTING', 'OUTPUT']) {
    const match = ['-d', API_SERVICE_ADDRESS, '-p', 'tcp', '--dport', '443'];
    await inside(name, 'iptables', '-t', 'nat', '-A', chain, ...match, '-j', 'DNAT', '--to-destination', `${API_ADDRESS}:${API_PORT}`);
  }
}

export async function removeNetwork(): Promise<void> {
  for (const node of NAMESPACE_NODES) {
    await attempt('ip', ['route', 'delete', node.podNetwork]);
    if (hasNamespace(networkNamespace(node.name))) await attempt('ip', ['netns', 'delete', networkNamespace(node.name)]);
  }
  await attempt('ip', ['link', 'delete', HOST_LINK]);
  if (hasNamespace(CONTROL_NETWORK_NAMESPACE)) await attempt('ip', ['netns', 'delete', CONTROL_NETWORK_NAMESPACE]);
}

export async function networkLeftovers(): Promise<readonly string[]> {
  const names = [CONTROL_NETWORK_NAMESPACE, ...NAMESPACE_NODES.map((node) => networkNamespace(node.name))];
  const namespaces = names.filter(hasNamespace).map((name) => `network namespace ${name}`);
  const link = await runCommand('ip', ['-o', 'link', 'show', HOST_LINK]);
  const routes = await runCommand('ip', ['route', 'show', LAB_NETWORK]);
  return [
    ...namespaces,
    ...(link.code === 0 ? [`network link ${HOST_LINK}`] : []),
    ...(routes.stdout.trim() !== '' && link.code !== 0 ? [`route ${LAB_NETWORK}`] : []),
  ];
}
