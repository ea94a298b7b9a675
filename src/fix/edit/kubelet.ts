import type { HostChange, Scalar } from '../../model/change.ts';
import type { Edited } from './edit.ts';
import { refuse, withNotes } from './edit.ts';
import { ownerOf } from './owner.ts';
import { setYaml } from './yaml-set.ts';

export type KubeletChange = Extract<HostChange, { do: 'kubelet-set' }>;

/** Maps of texts, whose keys hold dots themselves. */
const TEXT_MAPS = [
  'evictionHard',
  'evictionSoft',
  'evictionSoftGracePeriod',
  'evictionMinimumReclaim',
  'systemReserved',
  'kubeReserved',
  'qosReserved',
  'cpuManagerPolicyOptions',
  'topologyManagerPolicyOptions',
  'defaultPodSysctls',
];
const NOT_FIRST = 'The kubelet reads the first document of its file, and that is no KubeletConfiguration.';
const GATES = 'featureGates';

/** Texts that can look like numbers. */
const TEXTS = ['containerLogMaxSize', 'reservedSystemCPUs', 'showHiddenMetricsForVersion'];

export function editKubelet(text: string, change: KubeletChange): Edited {
  const path = pathOf(change.key);
  if (path.includes('')) return refuse('That is no key of a KubeletConfiguration.');
  const seen: { configuration?: object } = {};
  const edited = setYaml(text, path, typed(path, change.value), (document) => {
    if (!isConfiguration(document)) return NOT_FIRST;
    seen.configuration ??= document;
    return undefined;
  });
  if (!edited.ok || edited.splices.length === 0) return edited;
  const owner = ownerOf(text);
  if (owner.why !== undefined) return refuse(owner.why);
  return withNotes(edited, [...evictionNotes(path, seen.configuration), ...(owner.note === undefined ? [] : [owner.note])]);
}

function pathOf(key: string): readonly string[] {
  const map = [...TEXT_MAPS, GATES].find((name) => key.startsWith(`${name}.`));
  return map === undefined ? key.split('.') : [map, key.slice(map.length + 1)];
}

/** The kubelet does not start with a text where it reads a number, nor the other way round. */
function typed(path: readonly string[], value: Scalar): Scalar {
  const [first = ''] = path;
  if (TEXT_MAPS.includes(first) || TEXTS.includes(first)) return String(value);
  if (typeof value !== 'string') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  return /^-?(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
}

function isConfiguration(document: unknown): document is object {
  return typeof document === 'object' && document !== null && 'kind' in document && document.kind === 'KubeletConfiguration';
}

function evictionNotes(path: readonly string[], configuration: object | undefined): readonly string[] {
  if (path[0] !== 'evictionHard' || configuration === undefined) return [];
  const old = 'evictionHard' in configuration ? configuration.evictionHard : undefined;
  const merges = 'mergeDefaultEvictionSettings' in configuration && configuration.mergeDefaultEvictionSettings === true;
  if (merges || (typeof old === 'object' && old !== null && Object.keys(old).length > 0)) return [];
  return ['With one threshold in evictionHard the kubelet drops its defaults for the others: give those too where they are wanted.'];
}
