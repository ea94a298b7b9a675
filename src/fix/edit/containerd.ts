import type { HostChange, Scalar } from '../../model/change.ts';
import type { Steps } from './containerd-cgroup.ts';
import { cgroupSteps } from './containerd-cgroup.ts';
import type { Shape } from './containerd-shape.ts';
import { shapeOf } from './containerd-shape.ts';
import type { Edited } from './edit.ts';
import { refuse, unchanged, withNotes } from './edit.ts';
import { isTemplate, ownerOf } from './owner.ts';
import { editInTurn } from './splices.ts';
import { isTree, read, valueAt } from './toml-same.ts';
import { removeFromTomlArray, setToml } from './toml-set.ts';
import { tomlTree } from './toml-tree.ts';

export type ContainerdChange = Extract<HostChange, { do: 'containerd-set' | 'containerd-enable' }>;
type ContainerdSet = Extract<ContainerdChange, { do: 'containerd-set' }>;
type Tree = Record<string, unknown>;

/** The CRI plugin is one in containerd 1.x and three in 2.x; without any of them no pod starts. */
const CRI = ['cri', 'io.containerd.grpc.v1.cri', 'io.containerd.cri.v1.runtime', 'io.containerd.cri.v1.images'];

/** A file that is not there is edited as `version = N` alone. `release` is that of the containerd on the host. */
export function editContainerd(text: string, change: ContainerdChange, release?: string): Edited {
  const tree = read(text);
  if (tree === undefined) return refuse(whyNoToml(text));
  const edited = change.do === 'containerd-enable' ? enable(text, tree, change.plugin) : set(text, tree, change, release);
  if (!edited.ok) return edited;
  const owner = edited.splices.length === 0 ? {} : ownerOf(text);
  if (owner.why !== undefined) return refuse(owner.why);
  return withNotes(edited, [...importNotes(tree), ...(owner.note === undefined ? [] : [owner.note])]);
}

function whyNoToml(text: string): string {
  if (isTemplate(text)) return 'The file is a template, not a configuration.';
  const tree = tomlTree(text);
  return 'why' in tree ? tree.why : 'The file is not valid TOML.';
}

/** A plugin is listed by its full name, and in files of version 1 by the last part of it. */
function enable(text: string, tree: Tree, plugin: string): Edited {
  if (tree['disabled_plugins'] === undefined) return unchanged(text);
  const names = CRI.includes(plugin) ? CRI : [plugin, plugin.slice(plugin.lastIndexOf('.') + 1)];
  return editInTurn(
    text,
    names.map((name) => (before: string) => removeFromTomlArray(before, 'disabled_plugins', name)),
  );
}

function set(text: string, tree: Tree, change: ContainerdSet, release: string | undefined): Edited {
  const shaped = shapeOf(tree, release);
  if ('why' in shaped) return refuse(shaped.why);
  const planned = stepsOf(tree, shaped.shape, change);
  if ('why' in planned) return refuse(planned.why);
  const version = shaped.needsVersion ? [(before: string) => setToml(before, [], 'version', 2)] : [];
  const edited = editInTurn(text, [...version, ...planned.steps]);
  return edited.ok && edited.splices.length > 0 ? withNotes(edited, [...shaped.notes, ...planned.notes]) : edited;
}

function stepsOf(tree: Tree, shape: Shape, change: ContainerdSet): Steps {
  if (change.setting === 'SystemdCgroup') {
    const wanted = asBoolean(change.value);
    return wanted === undefined ? { why: 'SystemdCgroup is true or false.' } : cgroupSteps(tree, shape, wanted);
  }
  if (typeof change.value !== 'string' || change.value === '') return { why: `${change.setting} is a text.` };
  const value = change.value;
  if (change.setting === 'sandbox_image') {
    return { steps: [(text) => setToml(text, shape.sandbox.table, shape.sandbox.key, value)], notes: [] };
  }
  const clash = registryClash(valueAt(tree, shape.registry));
  if (clash !== undefined) return { why: clash };
  return { steps: [(text) => setToml(text, shape.registry, 'config_path', value)], notes: [] };
}

/** containerd refuses to load the CRI plugin with both. */
function registryClash(registry: unknown): string | undefined {
  const mirrors = valueAt(registry, ['mirrors']);
  const configs = valueAt(registry, ['configs']);
  const hasTls = isTree(configs) && Object.values(configs).some((config) => valueAt(config, ['tls']) !== undefined);
  if (isTree(mirrors) && Object.keys(mirrors).length > 0)
    return 'registry.mirrors cannot stand beside config_path: move them into hosts.toml first.';
  return hasTls ? 'registry.configs with tls cannot stand beside config_path: move it into hosts.toml first.' : undefined;
}

function importNotes(tree: Tree): readonly string[] {
  const imports = tree['imports'];
  if (!Array.isArray(imports) || imports.length === 0) return [];
  return [`The file imports others (${imports.map(String).join(', ')}); what they say overrides it.`];
}

function asBoolean(value: Scalar): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  return value === 'false' ? false : undefined;
}
