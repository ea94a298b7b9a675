import type { FactKinds, Runtime } from '../../model/facts.ts';
import type { BlockReader } from '../../model/reading.ts';
import { child, type JsonNode, jsonOpening, readJson, textAt, textOf } from './json.ts';
import { cite, cover, type Scope, say, scopeOf } from './scope.ts';

const OPENS = /"(?:RuntimeReady|NetworkReady|lastCNILoadStatus|cniconfig|defaultRuntimeName)"/;
const MEMBER = /^\s{0,200}"(?:SystemdCgroup|systemdCgroup|lastCNILoadStatus(?:\.default)?)"\s{0,20}:\s{0,20}(?:true|false|")/;
const SETTINGS: readonly (readonly [key: string, path: readonly string[]])[] = [
  ['default_runtime_name', ['config', 'containerd', 'defaultRuntimeName']],
  ['snapshotter', ['config', 'containerd', 'snapshotter']],
  ['sandbox_image', ['config', 'sandboxImage']],
  ['root', ['config', 'containerdRootDir']],
  ['conf_dir', ['config', 'cni', 'confDir']],
  ['bin_dir', ['config', 'cni', 'binDir']],
  ['config_path', ['config', 'registry', 'configPath']],
];

function setting(scope: Scope, runtime: Runtime, key: string, value: string, node: JsonNode): void {
  scope.sink.fact('runtime.setting', scope.node, { runtime, key, value, source: 'effective' }, cite(scope, node.line, node.endLine));
}

function conditions(scope: Scope, runtime: Runtime, root: JsonNode): void {
  for (const condition of child(root, 'status', 'conditions')?.items ?? []) {
    const type = textAt(condition, 'type');
    const status = child(condition, 'status')?.value;
    if (!type || typeof status !== 'boolean') continue;
    const [reason, message] = [textAt(condition, 'reason'), textAt(condition, 'message')];
    const why = [reason, message].filter((part) => part !== undefined).join(': ');
    setting(scope, runtime, type, status ? 'true' : why || 'false', condition);
    if (!status && message)
      say(scope, 'runtime-state', message, child(condition, 'message')?.line ?? condition.line, { level: 'error', component: runtime });
  }
}

function driverFact(scope: Scope, node: JsonNode | undefined, handler?: string): void {
  if (typeof node?.value !== 'boolean') return;
  const payload: FactKinds['runtime.cgroup-driver'] = {
    runtime: 'containerd',
    driver: node.value ? 'systemd' : 'cgroupfs',
    explicit: true,
    source: 'effective',
    ...(handler !== undefined ? { handler } : {}),
  };
  scope.sink.fact('runtime.cgroup-driver', scope.node, payload, cite(scope, node.line));
}

function networkStatus(scope: Scope, root: JsonNode): void {
  for (const key of ['lastCNILoadStatus', 'lastCNILoadStatus.default']) {
    const node = child(root, key);
    const value = textOf(node);
    if (!node || value === undefined) continue;
    setting(scope, 'containerd', 'lastCNILoadStatus', value, node);
    if (value !== 'OK') say(scope, 'runtime-state', value, node.line, { level: 'error', component: 'containerd' });
  }
}

function facts(scope: Scope, root: JsonNode): void {
  const config = child(root, 'config');
  const runtime: Runtime =
    config?.members?.has('containerd') || root.members?.has('cniconfig')
      ? 'containerd'
      : /crio/.test(scope.context.command ?? '')
        ? 'crio'
        : 'containerd';
  conditions(scope, runtime, root);
  for (const [handler, node] of child(config, 'containerd', 'runtimes')?.members ?? []) {
    driverFact(scope, child(node, 'options', 'SystemdCgroup'), handler);
  }
  for (const [key, path] of SETTINGS) {
    const node = child(root, ...path);
    const value = textOf(node);
    if (node && value !== undefined) setting(scope, runtime, key, value, node);
  }
  networkStatus(scope, root);
}

export const crictlInfoReader: BlockReader = {
  what: 'crictl info',
  read(lines, from, context, sink) {
    const member = MEMBER.test((lines[from] ?? '').slice(0, 400));
    if (!member && !OPENS.test(jsonOpening(lines, from))) return from;
    const block = readJson(lines, from, member);
    if (!block?.root.members) return from;
    const scope = scopeOf(lines, context, sink);
    if (member) {
      driverFact(scope, child(block.root, 'SystemdCgroup'));
      networkStatus(scope, block.root);
    } else facts(scope, block.root);
    cover(scope, 'containerd-config', 'excerpt', from, block.end);
    cover(scope, 'runtime-state', 'excerpt', from, block.end);
    return block.end;
  },
};
