import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, minutes, namesOf, on, supports } from '../../define-cause.ts';

function isGoing({ about, status, ageSeconds }: Fact<'object.status'>): boolean {
  return status === 'Terminating' && /^Object\/PersistentVolume(?:Claim)?\//.test(about) && (ageSeconds ?? 600) >= 60;
}

export const cause = defineCause({
  id: 'pvc-deletion-waits-for-pod',
  area: 'storage',
  at: 'Object',
  maturity: 'sandbox',
  explains: ['stuck-terminating', 'other-trouble', 'volume-pending'],
  wakesOn: [on('object.status', { status: 'Terminating' })],

  text: {
    name: 'Claim is still in use',
    title: '{thing} stays Terminating: it is protected as long as a pod or claim uses it (finalizer pvc-protection)',
    why: 'A PersistentVolumeClaim carries the finalizer kubernetes.io/pvc-protection, and a PersistentVolume kubernetes.io/pv-protection. Both are only marked for deletion while a pod (also a Pending, Completed or hanging one) still names the claim, or the volume is still bound; they disappear when the last of them is gone. The data stays until then.',
  },

  clues: {
    going: supports('object.status', isGoing),
    namespace: excludes('object.status', ({ about, status }) => about.startsWith('Object/Namespace/') && status === 'Terminating'),
  },
  says: {
    going: '{thing} is marked for deletion and does not go',
    namespace: 'its whole namespace is being deleted',
  },
  slots: (place, { going }) => {
    const [, type, namespace, name] = (going?.about ?? '').split('/');
    const known = name ?? (place.kind === 'Object' && place.name !== '?' ? place.name : undefined);
    return {
      thing: known === undefined ? 'the claim' : `${type === 'PersistentVolume' ? 'volume' : 'claim'} ${known}`,
      kind: type === 'PersistentVolume' ? 'pv' : 'pvc',
      name: known ?? 'NAME',
      object:
        name === undefined || name === '?'
          ? ''
          : type === 'PersistentVolume'
            ? `PersistentVolume/${name}`
            : namespace === undefined || namespace === '?'
              ? ''
              : `PersistentVolumeClaim/${namespace}/${name}`,
      protection: type === 'PersistentVolume' ? 'kubernetes.io/pv-protection' : 'kubernetes.io/pvc-protection',
      namespace: namesOf(place).namespace,
    };
  },

  fixes: [
    {
      say: 'Find who uses it',
      risk: 'reads-only',
      steps: [
        { say: '"Used By" names the pods', run: 'kubectl -n {{namespace}} describe {{kind}} {{name}}', on: 'cluster' },
        { say: 'attachments that are left', run: 'kubectl get volumeattachment', on: 'cluster' },
      ],
    },
    {
      say: 'Remove or scale down what uses it; it goes by itself then',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'scale the workload to 0, and delete Completed pods that name the claim',
          run: 'kubectl -n {{namespace}} get pods -o wide',
          on: 'cluster',
        },
      ],
      verified: '{thing} is gone',
    },
    {
      say: 'Only when no pod and no node uses it any more: take the finalizer away',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'the volume may be deleted with its data (reclaim policy Delete)',
          run: `kubectl -n {{namespace}} patch {{kind}} {{name}} --type merge -p '{"metadata":{"finalizers":null}}'`,
          on: 'cluster',
        },
      ],
      changes: [{ do: 'remove-finalizer', object: '{{object}}', finalizer: '{{protection}}' }],
      verified: '{thing} is gone',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/controller/volume/pvcprotection', 'kubernetes pkg/controller/volume/pvprotection'],
});
