import type { BlockReader, Context } from '../../model/reading.ts';
import { absentDriver, isKubeletKey, kubeletSetting, OWN_KEYS } from './kubelet-settings.ts';
import { cover, type Scope, scopeOf } from './scope.ts';
import { commandIs, isFiltered, withoutGrepPrefix } from './text.ts';
import { readYamlLines, type YamlBlock } from './yaml-lines.ts';

const NAMED = /^(?:apiVersion:\s+["']?kubelet\.config\.k8s\.io\/|kind:\s+["']?KubeletConfiguration\b)/;
const KEY = /^(?<key>[a-z][A-Za-z0-9]{2,60}):(?:\s+(?<value>\S.*))?$/;
const FILE = /kubelet[\w./-]{0,80}\.ya?ml\b|\bkubelet-config\b/;

function isFile(context: Context): boolean {
  return commandIs(context, FILE) || FILE.test(context.doc);
}

function isSentence(value: string): boolean {
  return value.replace(/#.*$/, '').trim().split(/\s+/, 5).length > 3 && !/^["'[{]/.test(value);
}

function startsKubeletConfig(line: string, context: Context): boolean {
  if (line.length > 1000) return false;
  const text = withoutGrepPrefix(line).trim();
  if (NAMED.test(text)) return true;
  const groups = KEY.exec(text)?.groups;
  if (!groups || isSentence(groups['value'] ?? '')) return false;
  const key = groups['key'] ?? '';
  return OWN_KEYS.has(key) || (isKubeletKey(key) && key !== 'kind' && key !== 'apiVersion' && key !== 'metadata' && isFile(context));
}

function topValue(block: YamlBlock, key: string): string | undefined {
  return block.entries.find(({ path }) => path.length === 1 && path[0] === key)?.value;
}

/** Reads the configuration at `from` into facts; the index after it. */
export function readKubeletYaml(scope: Scope, from: number): number {
  const { lines, context } = scope;
  const named = NAMED.test(withoutGrepPrefix(lines[from] ?? '').trim()) || isFile(context);
  const block = readYamlLines(lines, from, named ? (key) => /^[a-z][A-Za-z0-9]*$/.test(key) : isKubeletKey);
  const [kind, version] = [topValue(block, 'kind'), topValue(block, 'apiVersion')];
  if (block.end === from) return from;
  if (kind !== undefined && kind !== 'KubeletConfiguration') return block.end;
  for (const { path, value, line } of block.entries) kubeletSetting(scope, path, value, 'file', line);
  const whole = kind !== undefined && version !== undefined && !block.gaps && !isFiltered(context);
  if (whole && !topValue(block, 'cgroupDriver')) absentDriver(scope, from, block.end - 1);
  cover(scope, 'kubelet-config', whole ? 'whole' : 'excerpt', from, block.end);
  return block.end;
}

export const kubeletConfigReader: BlockReader = {
  what: 'kubelet configuration',
  read(lines, from, context, sink) {
    if (!startsKubeletConfig(lines[from] ?? '', context)) return from;
    return readKubeletYaml(scopeOf(lines, context, sink), from);
  },
};
