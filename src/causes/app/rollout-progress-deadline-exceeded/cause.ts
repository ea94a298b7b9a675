import { defineCause, excludes, line, minutes, namesOf, on, supports } from '../../define-cause.ts';

const stalled = line(
  ['exceeded its progress deadline', 'has timed out progressing', 'ProgressDeadlineExceeded'],
  ['workload', 'object-events', 'prose'],
  /(?:deployment|ReplicaSet) [\\"“”']{1,4}(?<name>[^\s\\"“”']{1,253})[\\"“”']{1,4} (?:exceeded its progress deadline|has timed out progressing)|ProgressDeadlineExceeded|exceeded its progress deadline/i,
);
export const cause = defineCause({
  id: 'rollout-progress-deadline-exceeded',
  area: 'app',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['no-pods', 'other-trouble'],
  // A rollout waits for new pods; whatever keeps those from being ready is the cause.
  effectOf: [
    'app-argument-unknown',
    'app-capability-missing',
    'app-credentials-rejected',
    'app-database-schema-missing',
    'app-file-missing',
    'app-module-missing',
    'app-setting-missing',
    'app-tls-peer-untrusted',
    'admission-webhook-denied',
    'admission-webhook-unavailable',
    'app-command-not-found',
    'app-config-file-invalid',
    'app-dependency-unreachable',
    'app-exec-format-error',
    'app-exits-nonzero-at-start',
    'app-filesystem-permission',
    'app-permission-denied-exec',
    'app-port-already-in-use',
    'configmap-missing',
    'image-not-found',
    'image-pull-rate-limited',
    'image-pull-unauthorized',
    'image-registry-unreachable',
    'init-container-failing',
    'invalid-pod-template-rejected',
    'limitrange-violation',
    'liveness-probe-kills-slow-app',
    'oom-container-limit',
    'probe-wrong-port-or-path',
    'psa-violation',
    'quota-exceeded',
    'readiness-never-true',
    'sched-insufficient-resources',
    'sched-pvc-unbound',
    'sched-selector-or-affinity-mismatch',
    'sched-untolerated-taint',
    'scc-or-psp-denied',
    'secret-missing',
    'service-account-missing',
    'startup-probe-exhausted',
  ],
  restates: true,
  wakesOn: [on('workload.condition', { reason: 'ProgressDeadlineExceeded' }), on('object.status', { status: 'rolling out' })],

  text: {
    name: 'Rollout does not get on',
    title: 'The rollout of {kind} {name} does not get on: {what}',
    why: 'A Deployment waits for the pods of its new ReplicaSet to be ready before it goes on. For progressDeadlineSeconds (600 by default) none became ready, so it reports ProgressDeadlineExceeded; nothing is undone or stopped. Why the new pods are not ready (image, crash, probe, no room, quota) is told by those pods and the events of the new ReplicaSet.',
  },

  clues: {
    stalled: supports(stalled),
    condition: supports(
      'workload.condition',
      ({ type, status, reason }) => type === 'Progressing' && status === 'False' && reason === 'ProgressDeadlineExceeded',
    ),
    waits: supports(
      'object.status',
      ({ about, status }) => /^Workload\/(?:Deployment|StatefulSet|DaemonSet)\//.test(about) && status === 'rolling out',
    ),
    rolled: excludes('object.status', ({ status }) => status === 'rolled out'),
    done: excludes('workload.condition', ({ type, reason }) => type === 'Progressing' && reason === 'NewReplicaSetAvailable'),
  },
  says: {
    stalled: 'the rollout exceeded its progress deadline',
    condition: 'Progressing is False: ProgressDeadlineExceeded',
    waits: 'kubectl rollout status still waits for new pods',
    rolled: 'kubectl rollout status says that it is done',
    done: 'the rollout is done',
  },
  slots: (place, { stalled: said, condition: late, waits }) => {
    const own = place.kind === 'Workload' && place.name !== 'the workload' ? place.name : undefined;
    const name = own ?? said?.fields['name'];
    const names = namesOf(place);
    const isKnown = name !== undefined && names.namespace !== 'NAMESPACE';
    return {
      ...names,
      name: name ?? 'of the cluster',
      kind: waits && place.type !== undefined && /^(?:StatefulSet|DaemonSet)$/.test(place.type) ? place.type : 'Deployment',
      what:
        waits && !said && !late
          ? 'kubectl still waits for its new pods to be ready'
          : 'no new pod became ready within progressDeadlineSeconds',
      deployment: name ?? 'NAME',
      object: isKnown ? `Deployment/${names.namespace}/${name}` : '',
    };
  },

  fixes: [
    {
      say: 'See why the new pods are not ready',
      risk: 'reads-only',
      steps: [
        {
          say: 'the new ReplicaSet: does it have pods at all (FailedCreate), and in which state',
          run: 'kubectl -n {{namespace}} describe deployment {{deployment}}; kubectl -n {{namespace}} get rs,pods -o wide | grep {{deployment}}',
          on: 'cluster',
        },
        {
          say: 'events: image, probes, scheduling, quota',
          run: 'kubectl -n {{namespace}} get events --sort-by=.lastTimestamp | grep {{deployment}} | tail -30',
          on: 'cluster',
        },
        {
          say: 'logs of the new pods',
          run: 'kubectl -n {{namespace}} logs deployment/{{deployment}} --all-containers --tail=50 --prefix',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'A StatefulSet whose template is corrected already: delete the pod that never became ready',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'it updates one pod after the other and waits for the broken one of the earlier revision, which it does not replace by itself',
          run: 'kubectl -n {{namespace}} delete pod {{deployment}}-N',
          on: 'cluster',
        },
      ],
      verified: 'the pod comes back with the new image and becomes ready',
    },
    {
      say: 'Go back to the last version that worked',
      risk: 'restarts-pods',
      steps: [{ say: 'undo the rollout', run: 'kubectl -n {{namespace}} rollout undo deployment/{{deployment}}', on: 'cluster' }],
      changes: [{ do: 'rollout-undo' }],
      verified: 'kubectl rollout status says "successfully rolled out"',
    },
    {
      say: 'The pods are merely slow to start: raise progressDeadlineSeconds',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'longer than image pull, start and readiness together take',
          run: 'kubectl -n {{namespace}} patch deployment {{deployment}} -p \'{"spec":{"progressDeadlineSeconds":1800}}\'',
          on: 'cluster',
        },
      ],
      changes: [{ do: 'object-set', object: '{{object}}', field: 'spec.progressDeadlineSeconds', value: 1800 }],
      verified: 'the rollout ends within the new time',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'kubernetes pkg/controller/deployment/progress.go',
    'kubernetes staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go',
  ],
});
