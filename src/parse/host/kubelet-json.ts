import { nodeId, objectId, THIS_NODE } from '../../model/entity.ts';
import type { BlockReader, Context } from '../../model/reading.ts';
import { citePointer } from '../cite.ts';
import { child, type JsonBlock, type JsonNode, jsonOpening, readJson, textAt, textOf } from './json.ts';
import { readKubeletYaml } from './kubelet-config.ts';
import { absentDriver, kubeletSetting } from './kubelet-settings.ts';
import { cover, type Scope, scopeOf } from './scope.ts';

const OPENS = /"kubeletconfig"\s*:|"kubelet\.config\.k8s\.io\/|"KubeletConfiguration"|"kubelet"\s*:\s*"apiVersion: kubelet/;
const MEMBER = /^\s{0,200}"cgroupDriver"\s{0,20}:\s{0,20}"(?:systemd|cgroupfs)"/;

function emit(scope: Scope, node: JsonNode, path: readonly string[], source: 'file' | 'configz'): void {
  for (const [key, value] of node.members ?? []) {
    const here = [...path, key];
    if (value.members && path.length < 4) emit(scope, value, here, source);
    const text = value.items
      ? value.items
          .map((item) => textOf(item) ?? '')
          .filter(Boolean)
          .join(', ')
      : (textOf(value) ?? '');
    kubeletSetting(scope, here, text, source, value.line, value.endLine);
  }
}

/** `/api/v1/nodes/NAME/proxy/configz` names the node that answered. */
function asked(context: Context): string | undefined {
  return /\/nodes\/(?<node>[\w.-]{1,253})\/proxy\/configz/.exec((context.command ?? '').slice(0, 600))?.groups?.['node'];
}

/** A ConfigMap in JSON holds the configuration as one string. */
function readConfigMap(scope: Scope, root: JsonNode): void {
  const held = child(root, 'data', 'kubelet');
  const text = textOf(held);
  const name = textAt(root, 'metadata', 'name');
  if (!held || text === undefined) return;
  const { context, sink } = scope;
  const at = [held.line + 1, held.endLine + 1] as const;
  if (name) {
    const about = objectId('ConfigMap', textAt(root, 'metadata', 'namespace'), name);
    sink.fact('object.exists', about, { type: 'ConfigMap' }, citePointer(context.doc, '/data/kubelet', scope.lines[held.line] ?? '', at));
  }
  const inner: Scope = {
    lines: text.split('\n'),
    context: { doc: context.doc },
    node: THIS_NODE,
    sink: {
      ...sink,
      fact: (kind, about, payload, cited, more) =>
        sink.fact(kind, about, payload, citePointer(context.doc, '/data/kubelet', cited.quote, at), more),
      cover: (coverage) => sink.cover({ ...coverage, lines: at }),
    },
  };
  readKubeletYaml(inner, 0);
}

function readConfiguration(scope: Scope, block: JsonBlock, from: number): void {
  const live = child(block.root, 'kubeletconfig');
  const config = live ?? block.root;
  emit(scope, config, [], live ? 'configz' : 'file');
  const whole = block.complete && !block.elided && (live !== undefined || textAt(config, 'kind') === 'KubeletConfiguration');
  if (whole && !live && !config.members?.has('cgroupDriver')) absentDriver(scope, from, block.end - 1);
  cover(scope, 'kubelet-config', whole ? 'whole' : 'excerpt', from, block.end);
}

export const kubeletJsonReader: BlockReader = {
  what: 'kubelet configuration',
  read(lines, from, context, sink) {
    const member = MEMBER.test((lines[from] ?? '').slice(0, 400));
    if (!member && !OPENS.test(jsonOpening(lines, from))) return from;
    const block = readJson(lines, from, member);
    if (!block?.root.members) return from;
    const kind = textAt(block.root, 'kind');
    if (kind !== undefined && kind !== 'KubeletConfiguration' && kind !== 'ConfigMap') return from;
    const node = asked(context);
    const scope = scopeOf(lines, context, sink, node ? nodeId(node) : undefined);
    if (kind === 'ConfigMap') readConfigMap(scope, block.root);
    else readConfiguration(scope, block, from);
    return block.end;
  },
};
