import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['kubelet-log', 'pod-events', 'control-plane-log'] as const;
const noRelation = line(
  ['no relationship found between node', 'relationship found between node'],
  CHANNELS,
  /(?:(?<resource>[a-z][a-z0-9.]{2,80}) [\\"“”]{1,8}(?<object>[^\s\\"“”]{1,253})[\\"“”]{1,8} is forbidden: User [\\"“”]{1,8}system:node:(?<user>[^\s\\"“”]{0,253})[\\"“”]{1,8} cannot (?<verb>[a-z]{2,20})[\s\S]{0,200}?)?no relationship found between node [\\"'“”]{1,8}(?<node>[^\s\\"'“”]{1,253})[\\"'“”]{1,8} and this object/,
);
const notAuthorized = line(
  [
    'unknown node for user',
    'can only update pod status for pods',
    'can only delete pods with spec.nodeName',
    'can only create pods with spec.nodeName',
    'can only evict pods from nodes',
    'cannot read all resources of this type',
    'can only get individual resources',
  ],
  CHANNELS,
  /unknown node for user [\\"'“”]{1,8}(?<user>[^\s\\"'“”]{1,253})|node [\\"'“”]{1,8}(?<node>[^\s\\"'“”]{1,253})[\\"'“”]{1,8} can only (?:update pod status for pods|delete pods|create pods|evict pods)[^\n]{0,60}|cannot read all resources of this type|can only (?:get|read) individual resources of this type/,
);
const nodeUser = line(
  'system:node:',
  CHANNELS,
  /(?<resource>[a-z][a-z0-9.]{2,80})(?: [\\"“”]{1,8}(?<object>[^\s\\"“”]{1,253})[\\"“”]{1,8})? is forbidden: User [\\"“”]{1,8}system:node:(?<user>[^\s\\"“”]{0,253})[\\"“”]{1,8} cannot (?<verb>[a-z]{2,20}) resource(?![\s\S]{0,300}no relationship found)/,
);
const namespaceGone = line('because it is being terminated', []);
// No channel: kubectl that was given the kubeconfig of a kubelet is refused in the same words.
const byKubectl = line(
  ['can only delete pods with spec.nodeName', 'can only create pods with spec.nodeName', 'system:node:'],
  [],
  /Error from server \(Forbidden\): [^\n]{0,300}?(?:can only (?:delete|create|update|evict) pods|system:node:)/,
);

/** In the journal every pod leaves such lines; one pod that is told so again and again suffers from it. */
const AGAIN_AND_AGAIN = 4;

export const cause = defineCause({
  id: 'resource-claim-or-node-authorizer-denied',
  area: 'policy',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'config-error', 'image-pull', 'node-not-ready', 'other-trouble'],
  effectOf: ['kubelet-node-not-found'],

  text: {
    name: 'Node may not read object',
    title: 'The kubelet of {node} may not {verb} {object}: the node authorizer refuses',
    why: 'A kubelet may only read Secrets, ConfigMaps, volume claims and ResourceClaims of pods that are bound to its own node; the API server decides by the name in its client certificate (system:node:NAME, group system:nodes). It refuses {object} for node {node}: {mechanism}',
  },

  clues: {
    // For a moment every new pod is refused so, until the authorizer has heard of it; only what lasts is a fault.
    noRelation: supports(noRelation),
    lasting: proves(noRelation, ({ channel, count }) => channel === 'pod-events' && count >= AGAIN_AND_AGAIN),
    notAuthorized: proves(notAuthorized),
    nodeUser: supports(nodeUser),
    namespaceGone: excludes(namespaceGone),
    byKubectl: excludes(byKubectl),
  },
  says: {
    noRelation: "no relationship found between node '{node}' and {object}",
    lasting: "again and again no relationship is found between node '{node}' and {object}",
    notAuthorized: 'the request is not one that this node may make',
    nodeUser: 'the user system:node:{node} may not {verb} {object}',
    namespaceGone: 'the namespace is being deleted',
    byKubectl: 'it is kubectl that is refused: it uses the kubeconfig of a kubelet',
  },
  slots: (place, { noRelation: none, notAuthorized: no, nodeUser: user }) => {
    const said = none?.fields['resource'] === undefined ? (user ?? none) : none;
    const name =
      none?.fields['node'] ??
      no?.fields['node'] ??
      none?.fields['user'] ??
      user?.fields['user'] ??
      (place.kind === 'Node' ? place.name : 'NODE');
    const resource = said?.fields['resource'];
    const stranger = said === undefined && no?.fields['user'] !== undefined;
    return {
      node: name || 'NODE',
      verb: said?.fields['verb'] ?? (stranger ? 'register' : 'read'),
      object:
        resource === undefined
          ? stranger
            ? 'its node'
            : 'the object'
          : `${resource}${said?.fields['object'] === undefined ? '' : ` "${said.fields['object']}"`}`,
      mechanism:
        none === undefined && no !== undefined
          ? `the certificate of the kubelet belongs to another node name or none (${no.fields['user'] ?? 'system:node:'}), or lacks the group system:nodes.`
          : 'no pod that uses it is bound to this node. For a moment after a pod was bound or deleted that is normal; when it stays, the object that the pod names does not exist under that name, or the certificate belongs to another node name.',
    };
  },

  fixes: [
    {
      say: 'Compare the name in the certificate of the kubelet with the name of its node',
      risk: 'reads-only',
      steps: [
        {
          say: 'subject: O = system:nodes, CN = system:node:NAME',
          run: 'openssl x509 -noout -subject -in /var/lib/kubelet/pki/kubelet-client-current.pem; hostname',
          on: 'node',
        },
        {
          say: 'the node, and the pods bound to it',
          run: 'kubectl get node {{node}}; kubectl get pods -A --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
        { say: 'does the object exist in the namespace of the pod', run: 'kubectl get secrets,configmaps,pvc -A', on: 'cluster' },
      ],
    },
    {
      say: 'The object is missing or misspelt in the pod: correct its name (imagePullSecrets, volumes, env)',
      risk: 'restarts-pods',
      steps: [{ say: 'the kubelet tries again by itself once pod and object fit', run: 'kubectl describe pod POD', on: 'cluster' }],
      verified: 'the pod mounts its volumes and starts',
    },
    {
      say: 'The certificate is of another name (renamed or cloned host): give the kubelet one of its own',
      risk: 'touches-node',
      steps: [
        { say: 'join it anew with a fresh token', run: 'kubeadm token create --print-join-command', on: 'cluster' },
        {
          say: 'on the node: remove the old certificate, then join',
          run: 'systemctl stop kubelet && mv /var/lib/kubelet/pki /var/backups/kubelet-pki-old && mv /etc/kubernetes/kubelet.conf /var/backups/',
          on: 'node',
        },
      ],
      verified: 'no more "no relationship found" in the log of the kubelet',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes plugin/pkg/auth/authorizer/node/node_authorizer.go',
    'kubernetes plugin/pkg/admission/noderestriction/admission.go',
  ],
});
