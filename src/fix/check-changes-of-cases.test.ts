import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { collectPaths } from '../collect/files.ts';
import { diagnose } from '../diagnose.ts';
import type { Change } from '../model/change.ts';
import type { Incident } from '../model/report.ts';
import { checkChanges } from './check-changes.ts';

/** Recorded where the fault was made for real: what podcause would change there, to the letter. */
const EXPECTED: Readonly<Record<string, readonly Change[]>> = {
  'docker-supplied-containerd': [
    { do: 'containerd-set', setting: 'SystemdCgroup', value: true },
    { do: 'units', action: 'restart', units: ['containerd', 'kubelet'] },
    { do: 'restart-pods' },
  ],
  'lab-story-cgroup-drivers': [
    { do: 'containerd-set', setting: 'SystemdCgroup', value: true },
    { do: 'units', action: 'restart', units: ['containerd', 'kubelet'] },
    { do: 'restart-pods' },
  ],
  'lab-story-cgroup-drivers-reversed': [
    { do: 'kubelet-set', key: 'cgroupDriver', value: 'systemd' },
    { do: 'units', action: 'restart', units: ['kubelet'] },
  ],
  'lab-story-cri-disabled': [
    { do: 'containerd-enable', plugin: 'cri' },
    { do: 'containerd-set', setting: 'SystemdCgroup', value: true, asKubelet: true },
    { do: 'units', action: 'restart', units: ['containerd', 'kubelet'] },
  ],
  'lab-story-apparmor-runc': [{ do: 'apparmor-unload', profile: 'runc' }],
  'lab-story-iscsi-missing': [
    {
      do: 'package',
      names: { debian: 'open-iscsi', rhel: 'iscsi-initiator-utils', suse: 'open-iscsi', alpine: 'open-iscsi', arch: 'open-iscsi' },
      command: 'iscsiadm',
    },
    { do: 'module', name: 'iscsi_tcp' },
    { do: 'units', action: 'enable', units: ['iscsid'] },
    { do: 'units', action: 'start', units: ['iscsid'] },
  ],
  'lab-story-docker-lost-containerd': [{ do: 'units', action: 'restart', units: ['containerd', 'docker'] }],
  'lab-containerd-stopped': [
    { do: 'units', action: 'enable', units: ['containerd'] },
    { do: 'units', action: 'start', units: ['containerd'] },
    { do: 'units', action: 'restart', units: ['kubelet'] },
  ],
  'lab-containerd-hung': [{ do: 'units', action: 'restart', units: ['containerd', 'kubelet'] }],
  'lab-kubelet-stopped': [
    { do: 'units', action: 'enable', units: ['kubelet'] },
    { do: 'units', action: 'start', units: ['kubelet'] },
  ],
  'lab-cni-plugins-missing': [{ do: 'package', names: { debian: 'kubernetes-cni', rhel: 'kubernetes-cni' } }],
  'lab-inotify-limit': [
    { do: 'sysctl', key: 'fs.inotify.max_user_instances', value: '8192', atLeast: true },
    { do: 'sysctl', key: 'fs.inotify.max_user_watches', value: '524288', atLeast: true },
  ],
  'lab-oom-limit': [{ do: 'workload-set', container: 'reports', field: 'resources.limits.memory', value: 'x2' }],
  'lab-image-not-found': [
    { do: 'workload-set', field: 'image', value: { ask: 'image', says: 'the image to use, such as registry.example/team/app:1.4' } },
  ],
  'lab-wrong-command': [
    {
      do: 'workload-set',
      container: 'api',
      field: 'command',
      value: { ask: 'command', says: 'the command as a JSON list, such as ["/app/start", "--serve"]' },
    },
  ],
  'lab-finalizer-stuck': [{ do: 'remove-finalizer', object: 'Pod/lab-finalizer-stuck/archive', finalizer: 'backup.lab.local/flush' }],
  'lab-startup-probe-short': [{ do: 'workload-set', container: 'search', field: 'startupProbe.failureThreshold', value: 'x5' }],
  'lab-liveness-kill': [
    { do: 'workload-set', container: 'catalog', field: 'livenessProbe.failureThreshold', value: 'x5' },
    { do: 'workload-set', container: 'catalog', field: 'livenessProbe.timeoutSeconds', value: 'x3' },
  ],
  'lab-probe-exec-fails': [
    {
      do: 'workload-set',
      container: 'ledger',
      field: 'readinessProbe.exec.command',
      value: { ask: 'command', says: 'the command of the probe as a JSON list, such as ["cat", "/tmp/ready"]' },
    },
  ],
  'lab-probe-wrong-port': [
    {
      do: 'workload-set',
      container: 'profile',
      field: 'readinessProbe.httpGet.port',
      value: { ask: 'port', says: 'the port at which the program listens' },
    },
  ],
  'lab-quota-exceeded': [
    {
      do: 'object-set',
      object: 'ResourceQuota/lab-quota-exceeded/team-budget',
      field: 'spec.hard.pods',
      value: { ask: 'amount', says: 'the new amount of pods in the quota' },
    },
  ],
  'lab-limit-range': [
    {
      do: 'workload-set',
      field: 'resources.limits.memory',
      value: { ask: 'amount', says: 'an amount of memory inside the bound 64Mi' },
    },
  ],
  'lab-service-account-missing': [
    { do: 'workload-set', field: 'serviceAccountName', value: { ask: 'serviceAccount', says: 'a ServiceAccount of the namespace' } },
  ],
  'lab-claim-missing': [
    {
      do: 'workload-set',
      field: 'volumes.store.persistentVolumeClaim.claimName',
      value: { ask: 'claim', says: 'a PersistentVolumeClaim of the namespace' },
    },
  ],
  'lab-configmap-key-missing': [
    {
      do: 'object-set',
      object: 'ConfigMap/lab-configmap-key-missing/quotes-settings',
      field: 'data.CURRENCY',
      value: { ask: 'value', says: 'the value of CURRENCY; no secret, which belongs into a Secret' },
    },
  ],
  'lab-exit-1': [
    {
      do: 'workload-set',
      field: 'env.DATABASE_URL',
      value: { ask: 'value', says: 'the value of DATABASE_URL; no secret, which belongs into a Secret' },
    },
  ],
  'lab-unschedulable-cordoned': [{ do: 'uncordon', node: 'worker-a' }],
  'lab-unschedulable-taint': [{ do: 'workload-add', field: 'tolerations', value: { key: 'dedicated', operator: 'Exists' } }],
  'lab-unschedulable-selector': [
    { do: 'workload-set', field: 'nodeSelector.accelerator', value: { ask: 'label', says: 'a value of accelerator that nodes have' } },
  ],
  'lab-host-port-clash': [
    {
      do: 'object-set',
      object: 'Deployment/lab-host-port-clash/edge',
      field: 'spec.replicas',
      value: { ask: 'replicas', says: 'how many pods there shall be: at most as many as nodes have the port free' },
    },
  ],
};

/** What only a person can decide, or nothing proves: no change may be made up for it. */
const NONE: readonly string[] = ['lab-configmap-missing', 'lab-process-limit', 'lab-dependency-unreachable', 'lab-disk-pressure'];

describe('changes for recorded faults', () => {
  it.each(Object.entries(EXPECTED))('%s', async (name, changes) => {
    const { fixes } = await firstIncident(name);
    const offered = fixes.find((fix) => fix.changes !== undefined)?.changes;
    expect(offered).toEqual(changes);
    expect(checkChanges(offered)).toEqual(changes);
  });

  it.each(NONE)('%s has none', async (name) => {
    const { fixes } = await firstIncident(name);
    expect(fixes.flatMap(({ changes }) => changes ?? [])).toEqual([]);
  });
});

async function firstIncident(name: string): Promise<Incident> {
  const folder = ['bundle', 'evidence']
    .map((form) => fileURLToPath(new URL(`../../cases/${name}/${form}`, import.meta.url)))
    .filter((path) => existsSync(path));
  const { documents } = collectPaths(folder);
  const {
    incidents: [first],
  } = await diagnose(documents);
  if (first === undefined) throw new Error(`${name} has no incident`);
  return first;
}
