import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const inFlight = line(
  ['operation with the given', 'code = Aborted desc ='],
  ['pod-events', 'object-events', 'container-log', 'kubelet-log'],
  withContext(
    /[Aa]n operation with the given (?<kind>[Vv]olume(?: ID| [Kk]ey)?|[Ss]napshot(?: ID)?|target path|[\w ]{3,30}?)[ =]?\\{0,3}"?(?<id>[^\s\\"]{1,250})?\\{0,3}"? (?:already exists|is already in progress)|code = Aborted desc = (?<text>[^\n]{0,120}?(?:operation[^\n]{0,60}(?:in progress|pending|already (?:exists|running))|already (?:in progress|being (?:processed|created|staged))))/,
    { may: [NAMED_VOLUME] },
  ),
);
const deadline = line(
  'code = DeadlineExceeded desc =',
  ['pod-events', 'object-events', 'container-log', 'kubelet-log'],
  /(?:Volume\.\w{3,20} failed for volume \\*"(?<volume>[^"\\]{1,253})|provision)[\s\S]{0,300}?rpc error: code = DeadlineExceeded desc = (?!volume \S{1,200} failed to attach to node)(?<text>[^\n]{3,200})/,
);
// No channel: mounted or made, the call came to its end.
const mounted = line(['Successfully provisioned volume', 'MountVolume.SetUp succeeded for volume'], []);

export const cause = defineCause({
  id: 'csi-operation-already-exists',
  area: 'storage',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'volume-pending', 'pending', 'stuck-terminating', 'other-trouble'],
  effectOf: [
    'ceph-cluster-unhealthy',
    'nfs-server-unreachable',
    'host-missing-kernel-module-storage',
    'iscsi-login-or-initiator-conflict',
    'filesystem-corrupt-or-readonly',
    'pvc-provisioning-fails',
    'longhorn-volume-not-ready',
    'ceph-client-not-authorized',
  ],

  text: {
    name: 'Earlier storage call hangs',
    title: 'A call for {volume} hangs in the storage driver: the backend does not answer it',
    why: 'The driver gets no answer to its first call for {volume}, and refuses each further one ("operation … already exists", code Aborted) while that one has not come back. It hangs: the storage cluster behind it (Ceph monitors or OSDs, NFS or SMB server, storage or cloud API) does not answer, or a mount, format or map command on the node is stuck. The refusals are only the echo; the first error in the driver log is the cause.',
  },

  clues: {
    inFlight: proves(inFlight),
    deadline: supports(deadline),
    mounted: excludes(mounted),
  },
  says: {
    inFlight: 'the driver is still busy with an earlier call for {volume}',
    deadline: 'the first call was given up without an answer: {text}',
    mounted: 'the call has ended well since',
  },
  slots: (place, { inFlight: said, deadline: late }) => ({
    workload: place.name,
    namespace: namesOf(place).namespace,
    volume: said?.fields['volume'] ?? said?.fields['id'] ?? late?.fields['volume'] ?? 'the volume',
    id: said?.fields['id'] ?? said?.fields['volume'] ?? 'VOLUME',
    text: late?.fields['text'] ?? 'context deadline exceeded',
  }),

  fixes: [
    {
      say: 'Find the first call for the volume in the log of the driver, and what it waits for',
      risk: 'reads-only',
      steps: [
        {
          say: 'driver pods; mounting: the node plugin on the node of the pod; creating: the controller',
          run: 'kubectl get pods -A -o wide | grep -iE "csi|plugin|provisioner"',
          on: 'cluster',
        },
        {
          say: 'its log, from the first mention on',
          run: 'kubectl -n NAMESPACE logs POD --all-containers --tail=2000 | grep -n -m 20 {{id}}',
          on: 'cluster',
        },
        {
          say: 'commands that hang on the node (state D)',
          run: 'ps -eo pid,stat,etime,args | grep -E " D|mount|rbd|mkfs|fsck" | grep -v grep',
          on: 'node',
        },
      ],
    },
    {
      say: 'Cure the backend: see that it is healthy and reachable from the nodes and from the controller pod',
      risk: 'reads-only',
      steps: [
        { say: 'Ceph', run: 'kubectl -n rook-ceph exec deploy/rook-ceph-tools -- ceph -s', on: 'cluster' },
        {
          say: 'from the node to the storage: monitors 3300 and 6789, OSDs 6800-7300, NFS 2049, SMB 445, iSCSI 3260',
          run: 'nc -vz -w 3 SERVER PORT',
          on: 'node',
        },
      ],
      verified: 'the first call returns, and the volume is made or mounted by itself',
    },
    {
      say: 'When the backend is well again and the call still hangs: restart the driver pod that holds it',
      risk: 'restarts-pods',
      steps: [{ say: 'one pod only; running volumes stay mounted', run: 'kubectl -n NAMESPACE delete pod DRIVER-POD', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'ceph-csi internal/util/idlocker.go',
    'kubernetes-csi/csi-driver-smb issue 444',
    'container-storage-interface spec: ABORTED, operation pending for volume',
  ],
});
