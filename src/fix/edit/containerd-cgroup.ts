import type { Shape } from './containerd-shape.ts';
import type { Edited } from './edit.ts';
import { isTree, valueAt } from './toml-same.ts';
import { setToml } from './toml-set.ts';

type Step = (text: string) => Edited;
export type Steps = { readonly steps: readonly Step[]; readonly notes: readonly string[] } | { readonly why: string };

const LINUX_V1 = 'io.containerd.runtime.v1.linux';
const RUNC_V2 = 'io.containerd.runc.v2';

interface Runtime {
  readonly table: readonly string[];
  readonly name: string;
  readonly type: string;
}

/** The default runtime's own option; the plugin's old `systemd_cgroup` beside it would keep the plugin from loading. */
export function cgroupSteps(tree: Record<string, unknown>, shape: Shape, wanted: boolean): Steps {
  const runtime = defaultRuntime(tree, shape);
  if ('why' in runtime) return runtime;
  if (runtime.type === LINUX_V1) return { steps: [(text) => setToml(text, shape.runtime, 'systemd_cgroup', wanted)], notes: [] };
  if (runtime.type !== '' && !runtime.type.startsWith('io.containerd.runc.')) {
    return { why: `The default runtime ${runtime.name} is of type ${runtime.type}, which has no SystemdCgroup.` };
  }
  const steps: Step[] = [];
  const notes: string[] = [...otherRuntimes(tree, shape, runtime, wanted)];
  if (shape.version < 3 && valueAt(tree, [...shape.runtime, 'systemd_cgroup']) === true) {
    steps.push((text) => setToml(text, shape.runtime, 'systemd_cgroup', false));
    notes.push(
      'The old systemd_cgroup = true is switched off: beside a runc runtime containerd 1.x refuses to load the CRI plugin with it.',
    );
  }
  // A table of runtimes in the file of containerd 1.x replaces the built-in one, so its type must stand there.
  if (shape.version < 3 && runtime.type === '') steps.push((text) => setToml(text, runtime.table, 'runtime_type', RUNC_V2));
  steps.push((text) => setToml(text, [...runtime.table, 'options'], 'SystemdCgroup', wanted));
  return { steps, notes };
}

function defaultRuntime(tree: Record<string, unknown>, shape: Shape): Runtime | { readonly why: string } {
  const containerd = [...shape.runtime, 'containerd'];
  const old = [...containerd, 'default_runtime'];
  const oldType = textAt(tree, [...old, 'runtime_type']);
  if (shape.version < 3 && oldType !== '') return { table: old, name: 'default', type: oldType };
  const name = valueAt(tree, [...containerd, 'default_runtime_name']) ?? 'runc';
  if (typeof name !== 'string' || name === '')
    return { why: 'default_runtime_name holds no name, and containerd does not load its CRI plugin so.' };
  const table = [...containerd, 'runtimes', name];
  if (name !== 'runc' && !isTree(valueAt(tree, table))) return { why: `The default runtime ${name} has no table in the file.` };
  return { table, name, type: textAt(tree, [...table, 'runtime_type']) };
}

function otherRuntimes(tree: Record<string, unknown>, shape: Shape, runtime: Runtime, wanted: boolean): readonly string[] {
  const runtimes = valueAt(tree, [...shape.runtime, 'containerd', 'runtimes']);
  if (!isTree(runtimes)) return [];
  const differing = Object.keys(runtimes).filter((name) => {
    if (name === runtime.name || !textAt(runtimes, [name, 'runtime_type']).startsWith('io.containerd.runc.')) return false;
    return (valueAt(runtimes, [name, 'options', 'SystemdCgroup']) === true) !== wanted;
  });
  if (differing.length === 0) return [];
  return [`Other runc runtimes of the file keep another SystemdCgroup than the default one: ${differing.join(', ')}.`];
}

function textAt(tree: unknown, path: readonly string[]): string {
  const value = valueAt(tree, path);
  return typeof value === 'string' ? value : '';
}
