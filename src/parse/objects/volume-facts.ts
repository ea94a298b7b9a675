import type { EntityId } from '../../model/entity.ts';
import { isRecord, type JsonRecord, known, listOf, recordOf, textOf } from './json-value.ts';
import type { ObjectReading } from './object-reading.ts';

/** Volume kinds as `kubectl describe` names them, and where each says what it holds. */
const TYPES: ReadonlyMap<string, { readonly type: string; readonly source?: string }> = new Map([
  ['hostPath', { type: 'HostPath', source: 'path' }],
  ['configMap', { type: 'ConfigMap', source: 'name' }],
  ['secret', { type: 'Secret', source: 'secretName' }],
  ['persistentVolumeClaim', { type: 'PersistentVolumeClaim', source: 'claimName' }],
  ['emptyDir', { type: 'EmptyDir', source: 'medium' }],
  ['projected', { type: 'Projected' }],
  ['downwardAPI', { type: 'DownwardAPI' }],
  ['csi', { type: 'CSI', source: 'driver' }],
  ['nfs', { type: 'NFS', source: 'server' }],
  ['iscsi', { type: 'ISCSI', source: 'targetPortal' }],
  ['ephemeral', { type: 'EphemeralVolume' }],
]);

export function volumeFacts(reading: ObjectReading, about: EntityId, spec: JsonRecord, pointer: string): void {
  const volumes = listOf(spec['volumes']);
  if (volumes.length === 0) return;
  const propagation = propagations(spec);
  for (let index = 0; index < volumes.length; index++) {
    const volume = recordOf(volumes[index]);
    const name = textOf(volume['name']);
    const kind = Object.keys(volume).find((key) => key !== 'name');
    if (name === undefined || kind === undefined) continue;
    volumeFact(
      reading,
      about,
      { name, kind, value: recordOf(volume[kind]), mountPropagation: propagation.get(name) },
      `${pointer}/volumes/${index}`,
    );
  }
}

interface Volume {
  readonly name: string;
  readonly kind: string;
  readonly value: JsonRecord;
  readonly mountPropagation: string | undefined;
}

/** In a list, volumes that can hardly fail are not worth their place. */
const PLAIN: ReadonlySet<string> = new Set(['Projected', 'EmptyDir', 'DownwardAPI']);

function volumeFact(reading: ObjectReading, about: EntityId, volume: Volume, pointer: string): void {
  const entry = TYPES.get(volume.kind);
  const type = entry?.type ?? `${volume.kind.charAt(0).toUpperCase()}${volume.kind.slice(1)}`;
  const source = sourceOf(volume, entry?.source);
  const hostPath = volume.kind === 'hostPath' ? source : undefined;
  const quote = `volume ${volume.name}: ${volume.kind}${source === undefined ? '' : ` ${source}`}`;
  const payload = { name: volume.name, type, ...known({ source, mountPropagation: volume.mountPropagation, hostPath }) };
  if (!reading.listed || !PLAIN.has(type) || volume.mountPropagation !== undefined) {
    reading.fact('pod.volume', about, payload, reading.cite(pointer, quote));
  }
  if (volume.kind === 'projected') projectedFacts(reading, about, volume, pointer);
}

function sourceOf(volume: Volume, key: string | undefined): string | undefined {
  if (volume.kind === 'nfs') {
    return [textOf(volume.value['server']), textOf(volume.value['path'])].filter((part) => part !== undefined).join(':') || undefined;
  }
  return key === undefined ? undefined : textOf(volume.value[key]);
}

/** A projected volume fails like the objects it is put together from. */
function projectedFacts(reading: ObjectReading, about: EntityId, volume: Volume, pointer: string): void {
  const sources = listOf(volume.value['sources']);
  for (let index = 0; index < sources.length; index++) {
    const part = recordOf(sources[index]);
    for (const [key, type] of [
      ['configMap', 'ConfigMap'],
      ['secret', 'Secret'],
    ] as const) {
      const source = textOf(recordOf(part[key])['name']);
      if (source === undefined || source === 'kube-root-ca.crt') continue;
      const cited = reading.cite(`${pointer}/projected/sources/${index}/${key}`, `volume ${volume.name}: ${key} ${source}`);
      reading.fact('pod.volume', about, { name: volume.name, type, source }, cited);
    }
  }
}

/** Mount propagation other than the default, by volume name. */
function propagations(spec: JsonRecord): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const container of [...listOf(spec['initContainers']), ...listOf(spec['containers'])]) {
    for (const mount of listOf(recordOf(container)['volumeMounts'])) {
      if (!isRecord(mount)) continue;
      const name = textOf(mount['name']);
      const propagation = textOf(mount['mountPropagation']);
      if (name !== undefined && propagation !== undefined && propagation !== 'None') found.set(name, propagation);
    }
  }
  return found;
}
