import { objectId, THIS_NODE } from '../../model/entity.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { readKubeletYaml } from './kubelet-config.ts';
import { kubeletFlag } from './kubelet-flags.ts';
import { cite, cover, namedNode, type Scope, scopeOf } from './scope.ts';
import { isBlank, plainVersion, withoutGrepPrefix } from './text.ts';
import { readYamlLines, type YamlEntry } from './yaml-lines.ts';

const NAMED = /^(?:apiVersion:\s+["']?kubeadm\.k8s\.io\/|kind:\s+["']?(?:Cluster|Init|Join)Configuration\b)/;
const ALONE = /^(?:criSocket:\s+["']?(?:unix:\/\/)?\/|kubernetesVersion:\s+["']?v?\d)/;
const TOLD: ReadonlySet<string> = new Set([
  'nodeRegistration.criSocket',
  'criSocket',
  'networking.podSubnet',
  'networking.serviceSubnet',
  'networking.dnsDomain',
  'imageRepository',
  'controlPlaneEndpoint',
  'clusterName',
]);
const HELD = /^(?:kubelet|ClusterConfiguration|kubeletConfiguration)\s{0,9}:\s{0,9}[|>][+-]?\s*$/;
const MAP_LINES = 400;

function starts(lines: readonly string[], from: number): boolean {
  const text = withoutGrepPrefix((lines[from] ?? '').slice(0, 600)).trim();
  if (NAMED.test(text) || ALONE.test(text)) return true;
  // kubeadm prints its keys in order, so that `apiServer` comes before the line that names the kind.
  return text === 'apiServer:' && lines.slice(from + 1, from + 16).some((line) => NAMED.test(line.slice(0, 200).trim()));
}

function emit(scope: Scope, entry: YamlEntry, previous: YamlEntry | undefined): void {
  const { path, value, line } = entry;
  if (value === '') return;
  const key = path.join('.');
  const cited = cite(scope, line);
  if (key === 'kubernetesVersion')
    scope.sink.fact('host.version', scope.node, { component: 'kubernetes', version: plainVersion(value) }, cited);
  else if (TOLD.has(key)) scope.sink.fact('kubelet.setting', scope.node, { key: path.at(-1) ?? key, value, source: 'file' }, cited);
  else if (path[0] === 'nodeRegistration' && path[1] === 'kubeletExtraArgs' && path.length === 3) {
    const listed = path[2] === 'value' && previous?.path[2] === 'name' ? previous.value : path[2];
    if (listed !== undefined && path[2] !== 'name') kubeletFlag(scope, listed, value, line);
  }
}

function readKubeadmYaml(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const block = readYamlLines(lines, from, (key) => /^[a-z][A-Za-z0-9]*$/.test(key));
  if (block.end === from) return from;
  const name = block.entries.find(({ path }) => path.join('.') === 'nodeRegistration.name')?.value;
  const scope = scopeOf(lines, context, sink, namedNode(context, name));
  for (const [index, entry] of block.entries.entries()) emit(scope, entry, block.entries[index - 1]);
  cover(scope, 'kubelet-config', 'excerpt', from, block.end);
  return block.end;
}

export const kubeadmConfigReader: BlockReader = {
  what: 'kubeadm configuration',
  read(lines, from, context, sink) {
    return starts(lines, from) ? readKubeadmYaml(lines, from, context, sink) : from;
  },
};

/** Index of the line that opens the held text, when a ConfigMap of kubeadm starts at `from`; else -1. */
function heldText(lines: readonly string[], from: number): number {
  const first = (lines[from] ?? '').slice(0, 200).trimEnd();
  const opens = first.trimStart();
  if (opens !== 'apiVersion: v1' && opens !== 'data:' && opens !== 'kind: ConfigMap') return -1;
  let held = -1;
  let isMap = opens === 'kind: ConfigMap';
  for (let index = from + 1; index < lines.length && index < from + MAP_LINES; index++) {
    const line = (lines[index] ?? '').slice(0, 200).trimEnd();
    const text = line.trimStart();
    if (text === '---' || line === first) break;
    if (held < 0 && HELD.test(text)) held = index;
    if (text === 'kind: ConfigMap') isMap = true;
    if (isMap && held >= 0) return held;
  }
  return -1;
}

const MAP_KEYS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'data', 'metadata', 'binaryData', 'immutable']);

export const kubeadmConfigMapReader: BlockReader = {
  what: 'kubelet configuration in a ConfigMap',
  read(lines, from, context, sink) {
    const held = heldText(lines, from);
    if (held < 0) return from;
    const block = readYamlLines(lines, from, (key) => MAP_KEYS.has(key));
    const at = (key: string) => block.entries.find(({ path }) => path.join('.') === key);
    if (block.end <= held || at('kind')?.value !== 'ConfigMap') return from;
    // It is the cluster's, not of the host where somebody asked for it.
    const scope = scopeOf(lines, { doc: context.doc }, sink, THIS_NODE);
    let inner = held + 1;
    while (inner < block.end && isBlank(lines[inner] ?? '')) inner++;
    if (/^kubelet/.test((lines[held] ?? '').trim())) readKubeletYaml(scope, inner);
    else readKubeadmYaml(lines, inner, scope.context, sink);
    const name = at('metadata.name');
    if (name?.value) {
      sink.fact(
        'object.exists',
        objectId('ConfigMap', at('metadata.namespace')?.value ?? context.namespace, name.value),
        { type: 'ConfigMap' },
        cite(scope, name.line),
      );
    }
    return block.end;
  },
};
