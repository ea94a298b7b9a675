import { enterArguments } from '../node/namespace-node.ts';
import { nodeProcess } from '../node/start.ts';
import { CONTROL_NETWORK_NAMESPACE, nodeFolder, type Paths } from '../settings.ts';
import { quoted, sshArguments } from '../vm/channel.ts';
import { VM_NODES } from '../vm/join.ts';
import { beside } from '../vm/qemu.ts';

/** The words before `/bin/sh -s` that give a root shell on a node, as `podcause fix --via` takes them. */
export function viaOf(paths: Paths, name: string): string {
  const vm = VM_NODES.find((one) => one.name === name);
  if (vm !== undefined) {
    const namespace = `/run/netns/${CONTROL_NETWORK_NAMESPACE}`;
    return asCommand([...beside({ namespace }), 'ssh', ...sshArguments(nodeFolder(paths, name), vm.address)]);
  }
  const known = nodeProcess(paths, name);
  if (known === undefined) throw new Error(`${name} is not up`);
  return asCommand(['nsenter', ...enterArguments(known.pid)]);
}

/** A program that is given a node's name and leads to its root shell. */
export function chooser(ways: ReadonlyMap<string, string>): string {
  const cases = [...ways].map(([name, way]) => `  ${name}) exec ${way} "$@" ;;`);
  return ['#!/bin/sh', 'node=$1', 'shift', 'case $node in', ...cases, '  *) echo "no such node: $node" >&2; exit 1 ;;', 'esac', ''].join(
    '\n',
  );
}

export function asCommand(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word))).join(' ');
}
