import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['object-events', 'container-log', 'control-plane-log', 'pod-events'] as const;
const failed = line(
  ['to provision volume with StorageClass'],
  SAID_BY,
  /[Ff]ailed to provision volume with StorageClass [\\"“”']{1,8}(?<class>[^\s\\"“”']{1,200})[\\"“”']{1,8}: (?:rpc error: code = (?<code>\w{2,30}) desc = )?(?![Aa]n operation with the given)(?<error>[\s\S]{3,600})/,
);
const selfLink = line('selfLink was empty', ['container-log', 'object-events'], /selfLink was empty, can't make reference/);
const topology = line(
  ['error generating accessibility requirements', 'no topology key found on CSINode', 'no available topology found'],
  SAID_BY,
  /no topology key found on (?:CSINode|hosts)(?: (?<node>[\w.-]{1,100}))?|error generating accessibility requirements: (?<text>[^\n]{3,200})|no available topology found/,
);
const noVolume = line(
  [
    'error creating EBS volume',
    'Could not create volume',
    'Error creating volume',
    'failed to create volume pvc-',
    'create process timeout after',
  ],
  SAID_BY,
  /(?:error creating EBS volume|Could not create volume|Error creating volume|failed to create volume) [^\n]{3,250}|(?<helper>create process timeout after \d{1,6} seconds)/,
);
/** In the words of LVM, ZFS and drivers on top of them. */
const noRoom = line(
  [
    'has insufficient free space',
    'Insufficient free space: ',
    'no enough space left on VG',
    'Insufficient disk space on datastore',
    'does not have enough free space',
    'no vg available to serve volume request',
    'Not enough nodes fulfilling the following auto-place criteria',
    'Not enough available nodes',
    ': out of space',
  ],
  SAID_BY,
  /(?<text>Volume group [\\"]{0,4}[\w.-]{1,120}[\\"]{0,4} has insufficient free space[^\n"]{0,80}|Insufficient free space: \d{1,12} extents needed[^\n"]{0,60}|no enough space left on VG[^\n"]{0,80}|Insufficient disk space on datastore[^\n]{0,60}|aggregate[^\n]{0,80}does not have enough free space|no vg available to serve volume request[^\n"]{0,80}|Not enough nodes fulfilling the following auto-place criteria[^\n"]{0,80}|Not enough available nodes|cannot create '[^'\n]{1,200}': out of space)/,
);
// No channel: a volume that was made settles it.
const made = line(['Successfully provisioned volume', 'ProvisioningSucceeded'], []);
const otherReason = line(
  ['nodes are available', 'nodes available to schedule'],
  [],
  /^(?![\s\S]*(?:volume|storage ?class|pvc))[\s\S]*nodes (?:are )?available/i,
);
const isClaim = (about: string) => about.startsWith('Object/PersistentVolumeClaim/');

export const cause = defineCause({
  id: 'pvc-provisioning-fails',
  area: 'storage',
  at: 'Namespace',
  maturity: 'stable',
  explains: ['volume-pending', 'pending'],
  effectOf: [
    'ceph-cluster-unhealthy',
    'nfs-server-unreachable',
    'nfs-server-denies-or-missing-export',
    'host-missing-lvm-or-dm',
    'ceph-client-not-authorized',
    'ceph-csi-config-lacks-cluster',
    'cloud-credentials-refused',
  ],

  text: {
    name: 'Provisioner cannot make volume',
    title: 'The provisioner of StorageClass {class} cannot make a volume for {claim}: {short}',
    why: '{meaning} That is what the provisioner met when it took up {claim}: {error}. The PersistentVolumeClaim (PVC) stays Pending, and pods that use it are not scheduled. The provisioner tries again by itself.',
  },

  clues: {
    failed: proves(failed),
    selfLink: proves(selfLink),
    topology: supports(topology),
    noVolume: supports(noVolume),
    noRoom: proves(noRoom),
    pending: supports('object.status', ({ about, status }) => isClaim(about) && status === 'Pending'),
    made: excludes(made),
    otherReason: excludes(otherReason),
    bound: excludes('object.status', ({ about, status }) => isClaim(about) && /^Bound\b/.test(status)),
  },
  says: {
    failed: 'the provisioner says: {short}',
    selfLink: 'the provisioner is too old: it needs selfLink, gone since 1.20',
    topology: 'no node offers the topology the driver asks for',
    noVolume: 'the storage did not create the volume',
    noRoom: 'the pool of the storage (volume group) has no room: {short}',
    pending: '{claim} is still Pending',
    made: 'the volume was made since',
    otherReason: 'the scheduler names another reason, not a claim',
    bound: 'the claim is Bound: an earlier failure',
  },
  slots: (place, { failed: said, selfLink: old, topology: nowhere, noVolume: none, noRoom: full, pending }) => {
    const error = old
      ? "selfLink was empty, can't make reference"
      : (said?.fields['error'] ??
        full?.fields['text'] ??
        nowhere?.fields['text'] ??
        (nowhere ? 'no topology key found' : undefined) ??
        none?.fields['helper'] ??
        (none ? 'it did not create the volume' : 'see its events'));
    const text = heartOf(error.replace(/\s+/g, ' ').trim());
    const right = rightIn(text);
    const about = [said, pending, nowhere].find((fact) => fact !== undefined && isClaim(fact.about))?.about.split('/')[3];
    const code = said?.fields['code'];
    return {
      namespace: place.kind === 'Namespace' && !/ /.test(place.name) ? place.name : 'NAMESPACE',
      class: said?.fields['class'] ?? 'of the claim',
      className: said?.fields['class'] ?? 'CLASS',
      claim: about === undefined || about === '?' ? 'the claim' : `claim ${about}`,
      claimName: about === undefined || about === '?' ? 'CLAIM' : about,
      short: right ? `the identity of its driver lacks the permission ${right}` : text.length > 160 ? `${text.slice(0, 159)}…` : text,
      error: code ? `${code}, ${text.slice(0, 400)}` : text.slice(0, 400),
      meaning: right
        ? `The cloud knows the identity of the driver, but it may not do ${right}: its role lacks that permission.`
        : meaningOf(code, text, old !== undefined),
      advice: right
        ? `Give the identity of the driver a role with the permission ${right} on what the message names (az role assignment create, an IAM policy), and wait some minutes until it holds`
        : adviceOf(code, text, old !== undefined),
    };
  },

  fixes: [
    {
      say: '{advice}',
      risk: 'reads-only',
      steps: [
        { say: 'the claim and its events', run: 'kubectl -n {{namespace}} describe pvc {{claimName}}', on: 'cluster' },
        {
          say: 'parameters of the class: pool, cluster, type, zone, secrets',
          run: 'kubectl get storageclass {{className}} -o yaml',
          on: 'cluster',
        },
        {
          say: 'log of the provisioner',
          run: 'kubectl get pods -A | grep -iE "provisioner|csi.*controller"; kubectl -n NAMESPACE logs POD --all-containers --tail=50',
          on: 'cluster',
        },
      ],
      verified: 'the claim gets ProvisioningSucceeded and becomes Bound',
    },
    {
      say: 'Rights in the cluster: let the service account of the provisioner do what it was forbidden (ClusterRole and ClusterRoleBinding)',
      risk: 'reads-only',
      steps: [
        { say: 'what it may do', run: 'kubectl auth can-i --list --as=system:serviceaccount:NAMESPACE:NAME', on: 'cluster' },
        {
          say: 'grant it, for example secrets',
          run: 'kubectl create clusterrole provisioner-secrets --verb=get,create --resource=secrets && kubectl create clusterrolebinding provisioner-secrets --clusterrole=provisioner-secrets --serviceaccount=NAMESPACE:NAME',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'A StorageClass cannot be edited: with wrong parameters delete it and create it anew; claims that wait are then tried again',
      risk: 'reads-only',
      steps: [{ say: 'keep a copy', run: 'kubectl get storageclass {{className}} -o yaml > class.yaml', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes-sigs/sig-storage-lib-external-provisioner controller/controller.go',
    'kubernetes pkg/controller/volume/persistentvolume/pv_controller.go',
    'kubernetes-csi/external-provisioner',
  ],
});

interface Meaning {
  readonly pattern: RegExp;
  readonly meaning: string;
  readonly advice: string;
}

const MEANINGS: readonly Meaning[] = [
  {
    pattern: /executable file not found in \$PATH/i,
    meaning:
      'The provisioner calls a program that its own container does not have (rbd, for example): the images of kube-controller-manager and of some provisioners come without it, and a program on the host does not help them.',
    advice:
      'Use the CSI driver of the storage (ceph-csi) or an external provisioner (ceph.com/rbd) whose image has the program, and name it as provisioner in a new StorageClass',
  },
  {
    // Clouds answer 403 both for a quota that is used up and for a right that is missing.
    pattern: /quota[^\n]{0,60}exceed|quotaExceeded|exceed[^\n]{0,40}quota|\w{3,30}LimitExceeded|limit[^\n]{0,30}(?:reached|exceeded)/i,
    meaning: 'The quota of the cloud account or project for disks is used up, or does not allow a volume of this size.',
    advice:
      'Raise the quota the message names (number of disks, their size in this region), delete disks nobody uses, or ask for a smaller volume',
  },
  {
    pattern: /shared datastores|accessible to all nodes|compatible datastores?/i,
    meaning: 'vSphere finds no datastore that all hosts of the nodes share and that fits the class, or its user may not see them.',
    advice:
      'Give the user of the driver its roles on the vCenter objects (datastores, hosts, virtual machines), and name a datastore or storage policy that every host reaches',
  },
  {
    pattern: /failed to get an available volume[\s\S]{0,40}InvalidVolume\.NotFound/i,
    meaning: 'The disk vanished right after it was made: AWS drops an encrypted disk when the role of the driver may not use its KMS key.',
    advice:
      'Let the IAM role of the driver use the KMS key of the class (kms:CreateGrant, kms:Decrypt, kms:GenerateDataKeyWithoutPlaintext)',
  },
  {
    pattern: /requested volume size \d{1,20} is less than the size \d{1,20} for the source/i,
    meaning: 'The claim asks for less room than the snapshot or claim it is made from has.',
    advice: 'Ask for at least the size of the source (restoreSize of the snapshot) in the request of the claim',
  },
  {
    pattern: /VolumeSnapshot by Name \S{1,253}: (?:snapshot \S{1,253} (?:is )?not (?:Ready|bound)|[^\n]{0,120}not found)/i,
    meaning: 'The snapshot the claim is made from is not there or not ready to use.',
    advice: 'See that the snapshot is made first: readyToUse of the VolumeSnapshot, and the error in its status',
  },
  {
    pattern: /create process timeout|helper-pod|failed to create helper pod/i,
    meaning:
      'The provisioner starts a helper pod on the chosen node to make the directory, and that pod does not finish: its image cannot be pulled, the node is not ready or has a taint that the helper does not tolerate, or its path cannot be written.',
    advice:
      'Look at the helper pod of the provisioner (image pull, node and its taints, path of the directory) and cure that, for example by tolerations in the helperPod.yaml of its ConfigMap',
  },
  {
    pattern: /is forbidden|cannot (?:create|get|list|patch) resource/i,
    meaning: 'Its service account lacks rights in this cluster (RBAC).',
    advice: 'Grant the missing rights to the service account named in the message, by ClusterRole and ClusterRoleBinding',
  },
  {
    pattern:
      /secrets? [\\"']{0,3}[\w./-]{1,200}[\\"']{0,3} not found|failed to get secret|error getting secret|could ?n.t (?:get|find) secret/i,
    meaning: 'A Secret that the class or the driver refers to is not there.',
    advice: 'Create the Secret the message names, or correct its name and namespace in the StorageClass parameters',
  },
  {
    pattern:
      /Unauthenticated|PermissionDenied|UnauthorizedOperation|AccessDenied|AuthorizationFailed|not authorized|AuthFailure|NoPermission|credential|permission denied|\b40[13]\b/i,
    meaning: 'The storage or cloud does not accept its credentials, or they do not suffice.',
    advice: 'Renew or widen the credentials of the driver (cloud IAM role, storage user, export rights of the NFS directory)',
  },
  {
    pattern: /ResourceExhausted|insufficient|not enough|no space|out of (?:space|capacity)|quota|LimitExceeded|exceed|pool is full/i,
    meaning: 'The storage has no room or no quota left for a volume of this size.',
    advice: 'Make room: free or enlarge the pool, raise the quota of the account, or ask for a smaller volume',
  },
  {
    pattern: /DeadlineExceeded|Unavailable|context deadline|timed? ?out|connection refused|no route to host|no such host|dial tcp/i,
    meaning: 'The storage behind it does not answer: it is down, unhealthy, or not reachable from the controller pod.',
    advice: 'See that the storage backend is healthy and reachable from the provisioner pod',
  },
  {
    pattern: /InvalidArgument|invalid|unsupported|not supported|missing|unknown parameter|must be/i,
    meaning: 'The class or the claim asks for something the driver does not take: a parameter, an access mode, a size or a data source.',
    advice: 'Correct the parameters of the StorageClass, or access mode, volume mode and size of the claim',
  },
  {
    pattern: /NotFound|not found|does not exist|no such/i,
    meaning: 'Something the class refers to does not exist in the storage: pool, file system, share, zone, snapshot.',
    advice: 'Create what the message says is missing, or correct its name in the StorageClass parameters',
  },
];

/** Clouds wrap what they have to say: vCenter in a dump of its fault, Azure in JSON. */
function heartOf(text: string): string {
  const fault = /Reason: \(string\)(?: \(len=\d{1,6}\))? [\\"]{1,4}(?<fault>[^\\"\n]{8,400})/.exec(text)?.groups?.['fault'];
  const json = /[\\"]{1,4}message[\\"]{1,4}: ?[\\"]{1,4}(?<json>[^"\n]{8,800})/.exec(text)?.groups?.['json'];
  return (fault ?? json ?? text).replace(/\\$/, '').trim();
}

/** The action a cloud names when it knows who asks and refuses all the same. */
function rightIn(text: string): string | undefined {
  return /(?:does not have (?:permission|authorization) to perform action(?:\(s\))? ['"](?<azure>[\w./*-]{5,120})|is not authorized to perform:? (?<aws>[\w-]{2,30}:[\w*]{2,60})|Required ['"](?<gcp>[\w.]{5,80})['"] permission)/
    .exec(text)
    ?.slice(1)
    .find((right) => right !== undefined);
}

function found(code: string | undefined, text: string): Meaning | undefined {
  const whole = `${code ?? ''} ${text}`;
  return MEANINGS.find(({ pattern }) => pattern.test(whole));
}

function meaningOf(code: string | undefined, text: string, old: boolean): string {
  if (old)
    return 'Kubernetes 1.20 and later no longer fill in metadata.selfLink, which old provisioners (nfs-client-provisioner, hostpath) rely on.';
  return found(code, text)?.meaning ?? 'The message names the reason.';
}

function adviceOf(code: string | undefined, text: string, old: boolean): string {
  if (old) return 'Replace the provisioner by a current one (nfs-subdir-external-provisioner v4 or later), which does not use selfLink';
  return found(code, text)?.advice ?? 'Do what the message of the provisioner asks for';
}
