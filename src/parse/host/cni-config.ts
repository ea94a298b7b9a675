import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader } from '../../model/reading.ts';
import { child, type JsonNode, jsonOpening, readJson, textAt } from './json.ts';
import { takeLines } from './output.ts';
import { cite, scopeOf } from './scope.ts';

type Config = FactKinds['host.cni-config'];

const OPENS = /"cniVersion"|"plugins"/;
/** Longer ones are something else. */
const MOST_LINES = 300;
const ENVIRONMENT = /^FLANNEL_(?<key>NETWORK|SUBNET|MTU|IPMASQ)=(?<value>\S{1,60})\s*$/;

function subnetOf(node: JsonNode): string | undefined {
  const ranges = child(node, 'ipam', 'ranges')?.items?.[0]?.items?.[0];
  return textAt(node, 'ipam', 'subnet') ?? (ranges ? textAt(ranges, 'subnet') : undefined);
}

function configOf(root: JsonNode): Config | undefined {
  const plugins = child(root, 'plugins')?.items ?? [root];
  const types = plugins.flatMap((plugin) => textAt(plugin, 'type') ?? []);
  if (types.length === 0) return undefined;
  const [name, version] = [textAt(root, 'name'), textAt(root, 'cniVersion')];
  const subnet = plugins.map(subnetOf).find((found) => found !== undefined);
  const mtu = plugins.map((plugin) => child(plugin, 'mtu')?.value).find((value) => typeof value === 'number');
  return {
    ...(name !== undefined ? { name } : {}),
    ...(version !== undefined ? { version } : {}),
    plugins: types.slice(0, 20),
    ...(subnet !== undefined ? { subnet } : {}),
    ...(typeof mtu === 'number' ? { mtu } : {}),
  };
}

/** A file of `/etc/cni/net.d`. */
export const cniConfigReader: BlockReader = {
  what: 'CNI configuration',
  read(lines, from, context, sink) {
    if (!/^\s{0,40}\{/.test(lines[from] ?? '') || !OPENS.test(jsonOpening(lines, from))) return from;
    const block = readJson(lines.slice(from, from + MOST_LINES), 0);
    const config = block && child(block.root, 'cniVersion') ? configOf(block.root) : undefined;
    if (!block || !config) return from;
    const scope = scopeOf(lines, context, sink);
    const end = from + block.end;
    sink.fact('host.cni-config', scope.node, config, cite(scope, from, end - 1));
    return takeLines(scope, from, end);
  },
};

/** Flannel's `/run/flannel/subnet.env`. */
export const flannelReader: BlockReader = {
  what: 'flannel subnet',
  read(lines, from, context, sink) {
    if (!(lines[from] ?? '').startsWith('FLANNEL_')) return from;
    const found = new Map<string, string>();
    let end = from;
    for (; end < lines.length; end++) {
      const groups = ENVIRONMENT.exec((lines[end] ?? '').slice(0, 120))?.groups;
      if (!groups) break;
      found.set(groups['key'] ?? '', groups['value'] ?? '');
    }
    if (end === from) return from;
    const scope = scopeOf(lines, context, sink);
    const [network, subnet, mtu] = [found.get('NETWORK'), found.get('SUBNET'), Number(found.get('MTU') ?? Number.NaN)];
    const config: Config = {
      name: 'subnet.env',
      plugins: ['flannel'],
      ...(subnet ? { subnet } : {}),
      ...(network ? { network } : {}),
      ...(Number.isFinite(mtu) ? { mtu } : {}),
    };
    sink.fact('host.cni-config', scope.node, config, cite(scope, from, end - 1));
    return takeLines(scope, from, end);
  },
};
