import { defineCause, excludes, excludesEverywhere, line, minutes, on, proves, supports } from '../../define-cause.ts';

const waiting = line(
  ['external provisioner ', 'by the external provisioner'],
  'object-events',
  /aiting for a volume to be created,? either by (?:the )?external provisioner [\\"“”']{1,8}(?<provisioner>[^\s\\"“”']{1,200})/,
);
const answered = line(
  [
    'External provisioner is provisioning volume',
    'failed to provision volume with StorageClass',
    'Successfully provisioned volume',
    'selfLink was empty',
  ],
  'object-events',
);

const LONG_SECONDS = 120;

export const cause = defineCause({
  id: 'pvc-provisioner-not-running',
  area: 'storage',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['volume-pending', 'pending'],
  effectOf: [
    'csi-driver-not-registered',
    'host-missing-iscsi-longhorn',
    'longhorn-webhook-inaccessible',
    'cgroup-driver-kubelet-systemd-runtime-cgroupfs',
  ],
  wakesOn: [on('object.event', { reason: 'ExternalProvisioning' })],

  text: {
    name: 'Provisioner does not answer',
    title: 'The storage provisioner {provisioner} is not running: it does not act on claims',
    why: 'The StorageClass hands its claims to the external provisioner {provisioner}, a pod of the storage driver. Kubernetes waits for it and repeats that it waits, but no Provisioning event follows: nobody is running or registered under that name. The claim {claim} stays Pending, and pods that use it are not scheduled.',
  },

  clues: {
    waiting: supports(waiting),
    repeated: proves(
      'object.event',
      ({ reason, count, firstAgo, lastAgo }) =>
        reason === 'ExternalProvisioning' && (count >= 5 || (firstAgo ?? 0) - (lastAgo ?? 0) >= LONG_SECONDS),
    ),
    provisionerTrouble: supports('pod.symptom', ({ about }) =>
      /(?:provisioner|csi[^/]*(?:controller|plugin)|controller[^/]*csi)[^/]*$/.test(about),
    ),
    claimPending: supports(
      'object.status',
      ({ about, status }) => about.startsWith('Object/PersistentVolumeClaim/') && status === 'Pending',
    ),
    answered: excludesEverywhere(excludes(answered)),
    otherReason: excludes('pod.event', ({ reason, message }) => reason === 'FailedScheduling' && !/volume|storage ?class/i.test(message)),
  },
  says: {
    waiting: 'the claim {claim} waits for the external provisioner {provisioner}',
    repeated: 'it has been waiting for long: {times} times the same event',
    provisionerTrouble: 'a pod of the provisioner is in trouble itself: {pod}',
    claimPending: 'the claim is still Pending',
    answered: 'the provisioner is at work: it took the claim up and reports itself',
    otherReason: 'the scheduler names another reason, not a claim',
  },
  slots: (_place, { waiting: said, repeated, provisionerTrouble, claimPending }) => ({
    provisioner: said?.fields['provisioner'] ?? 'of the StorageClass',
    claim: nameOf(said?.about) ?? nameOf(repeated?.about) ?? nameOf(claimPending?.about) ?? 'of the pod',
    times: repeated?.count ?? 1,
    pod: provisionerTrouble?.about.split('/').at(-1) ?? 'the provisioner',
  }),

  fixes: [
    {
      say: 'Find the provisioner {provisioner} and see whether it runs',
      risk: 'reads-only',
      steps: [
        { say: 'the name the class expects', run: 'kubectl get storageclass', on: 'cluster' },
        { say: 'its pods', run: 'kubectl get pods -A -o wide | grep -iE "provisioner|csi|storage"', on: 'cluster' },
        {
          say: 'its log: leader election, rights, connection to the backend',
          run: 'kubectl -n NAMESPACE logs POD --all-containers --tail=30',
          on: 'cluster',
        },
        { say: 'who holds its lease', run: 'kubectl get lease -A | grep -iE "provisioner|csi|storage"', on: 'cluster' },
      ],
    },
    {
      say: 'Bring the provisioner up',
      risk: 'restarts-pods',
      steps: [
        { say: 'not installed: install the driver that serves {provisioner}', on: 'cluster' },
        {
          say: 'installed but not running: cure its pod first (image, node, rights); claims then bind by themselves',
          run: 'kubectl -n NAMESPACE describe pod POD',
          on: 'cluster',
        },
        { say: 'running under another name: the PROVISIONER_NAME (or driver name) and the provisioner of the class must be the same' },
      ],
      verified: '{claim} gets a Provisioning event and becomes Bound',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/controller/volume/persistentvolume/pv_controller.go (provisionClaimOperationExternal)',
    'kubernetes-csi/external-provisioner',
  ],
});

function nameOf(about: string | undefined): string | undefined {
  const name = about?.startsWith('Object/PersistentVolumeClaim/') ? about.split('/')[3] : undefined;
  return name === '?' ? undefined : name;
}
