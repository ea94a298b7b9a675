import type { HostChange } from '../../model/change.ts';
import { dropIn, type Edited, editContainerd, editDocker, editKubelet, modulesFile, sysctlFile } from '../edit/index.ts';
import { dropInPath, MODULES_FILE, SYSCTL_FILE } from './asked.ts';
import { checksOf } from './checks.ts';
import type { HostState } from './host-state.ts';
import type { FileEdit } from './plan-files.ts';
import { unitName } from './valid.ts';

/** The edit of a file that a change asks for; none for a change that is about no text file. */
export function fileEditOf(change: HostChange, state: HostState): FileEdit | undefined {
  const checks = checksOf(change, state);
  switch (change.do) {
    case 'containerd-set':
    case 'containerd-enable':
      return {
        path: state.configs.containerd,
        absent: emptyContainerd(state),
        edit: (text) => editContainerd(text, change, state.versions.get('containerd')),
        checks,
      };
    case 'docker-set':
      return { path: state.configs.docker, absent: '', edit: (text) => editDocker(text, change), checks };
    case 'kubelet-set':
      return {
        path: state.configs.kubelet,
        absent: NO_KUBELET_FILE,
        edit: (text) => withKubeadmNote(editKubelet(text, change), state),
        checks,
      };
    case 'drop-in':
      return { path: dropInPath(unitName(change.unit)), absent: '', edit: (text) => addDropIn(text, change.lines), checks };
    case 'sysctl':
      return { path: SYSCTL_FILE, absent: '', edit: (text) => sysctlFile(text, change.key, change.value), checks };
    case 'module':
      return { path: MODULES_FILE, absent: '', edit: (text) => modulesFile(text, change.name), checks };
    default:
      return undefined;
  }
}

const NO_KUBELET_FILE = { why: 'the kubelet of this host has no configuration file: it is set up by its flags' };

function withKubeadmNote(edited: Edited, { commands }: HostState): Edited {
  if (!edited.ok || !commands.has('kubeadm')) return edited;
  const note = 'kubeadm writes this file anew from the ConfigMap kubelet-config of kube-system when it upgrades: change that too.';
  return { ...edited, notes: [...(edited.notes ?? []), note] };
}

/** Without a file containerd takes its defaults; a new one must say which version of the configuration it is of. */
function emptyContainerd({ versions }: HostState): FileEdit['absent'] {
  const release = Number.parseInt(versions.get('containerd') ?? '', 10);
  if (!(release >= 1)) return { why: 'containerd has no configuration file and does not say its release, so none is begun' };
  return `version = ${release >= 2 ? 3 : 2}\n`;
}

/** Our own drop-in may be there from an earlier fix: what it lacks is added at its end. */
function addDropIn(text: string, lines: readonly string[]): Edited {
  const settings = lines.filter((line) => !line.startsWith('['));
  const there = new Set(text.split('\n').map((line) => line.trim()));
  if (settings.every((line) => there.has(line.trim()))) return { ok: true, after: text, splices: [] };
  const made = dropIn(lines);
  if (!made.ok) return made;
  const added = `${text === '' || text.endsWith('\n') ? '' : '\n'}${made.after}`;
  const end = Buffer.byteLength(text, 'utf8');
  return { ok: true, after: text + added, splices: [{ from: end, to: end, text: added }] };
}
