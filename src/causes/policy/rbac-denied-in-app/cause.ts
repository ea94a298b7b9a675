import { defineCause, excludes, line, minutes, namesOf, on, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['container-log', 'object-events', 'control-plane-log', 'objects', 'pod-events'] as const;
const denied = line(
  [
    'is forbidden: User ',
    'cannot list resource',
    'cannot get resource',
    'cannot watch resource',
    'cannot create resource',
    'cannot update resource',
    'cannot patch resource',
    'cannot delete resource',
    'system:serviceaccount:',
  ],
  CHANNELS,
  /User [\\"'“”]{1,8}(?<user>(?!system:(?:node|bootstrap|anonymous))[^\s\\"'“”]{1,253})[\\"'“”]{1,8} cannot (?<verb>[a-z*]{2,20})(?: resource)? [\\"'“”]{0,8}(?<resource>[a-z][a-z0-9.*/-]{1,120})[\\"'“”]{0,8}(?: in API group [\\"'“”]{1,8}(?<group>[a-z0-9.-]{0,120})[\\"'“”]{1,8})?(?: in the namespace [\\"'“”]{1,8}(?<namespace>[a-z0-9.-]{1,63})| at the cluster scope)?/,
);
const noRole = line(
  ['RBAC: role.rbac.authorization.k8s.io', 'RBAC: clusterrole.rbac.authorization.k8s.io', 'rbac.authorization.k8s.io "'],
  CHANNELS,
  /RBAC: (?<kind>cluster)?role\.rbac\.authorization\.k8s\.io [\\"'“”]{1,8}(?<role>[^\s\\"'“”]{1,253})[\\"'“”]{1,8} not found/,
);
const escalation = line(
  'attempting to grant RBAC permissions not currently held',
  CHANNELS,
  /user [\\"'“”]{1,8}(?<user>[^\s\\"'“”]{1,253})[\\"'“”]{1,8}[\s\S]{0,200}attempting to grant RBAC permissions not currently held/,
);
const kubeletApi = line(
  ['Forbidden (user=', 'resource=nodes, subresource='],
  ['objects', 'control-plane-log', 'container-log'],
  // The client of the API server itself is no program in a pod: kubelet-api-denied-to-apiserver.
  /Forbidden \(user=(?<user>system:serviceaccount:[^\s,]{1,253}), verb=(?<verb>\w{2,20}), resource=(?<resource>\w{2,40}), subresource=(?<sub>[\w/()[\] -]{2,60}?)\)/,
);
/** Clients until 1.8 and those that read no answer put it so, with verb, resource and name. */
const plain = line(
  ['the server does not allow access to the requested resource', "Forbidden!Configured service account doesn't have access"],
  CHANNELS,
  /Forbidden!Configured service account doesn't have access|the server does not allow access to the requested resource(?: \((?<verb>get|list|watch|post|put|patch|delete) (?<resource>[a-z][a-z0-9./-]{1,100})(?: (?<name>[\w.-]{1,253}))?\))?/,
);
/** The plugin OwnerReferencesPermissionEnforcement, which OpenShift has on. */
const owner = line(
  'cannot set blockOwnerDeletion',
  CHANNELS,
  /(?<child>[a-z][a-z0-9.-]{2,120}) [\\"'“”]{1,8}(?<name>[^\s\\"'“”]{1,253})[\\"'“”]{1,8} is forbidden: cannot set blockOwnerDeletion (?:if|in) an ownerReference/,
);
/** ingress-nginx hides which call was refused. */
const controller = line(
  ['does not have the required permissions to operate normally', 'there is no permissions for the ingress controller'],
  'container-log',
  /Ingress controller does not have the required permissions|there is no permissions for the ingress controller/i,
);
// No channel: who presents no credentials at all is called so in the same message.
const anonymous = line(['system:anonymous'], [], /User [\\"'“”]{1,8}system:anonymous/);

/** The verb of RBAC for the method of the call. */
const VERBS: Readonly<Record<string, string>> = {
  get: 'get',
  list: 'list',
  watch: 'watch',
  post: 'create',
  put: 'update',
  patch: 'patch',
  delete: 'delete',
};
const ACCOUNT = /^system:serviceaccount:(?<namespace>[a-z0-9.-]{1,63}):(?<name>[a-z0-9.-]{1,253})$/;

export const cause = defineCause({
  id: 'rbac-denied-in-app',
  area: 'policy',
  at: 'Workload',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'init-crash', 'init-stuck', 'failed', 'volume-pending', 'no-pods', 'other-trouble'],
  effectOf: ['kubeadm-admin-not-bound'],
  wakesOn: [on('object.right', { allowed: false })],

  text: {
    name: 'Rights missing (RBAC)',
    title: '{subject} may not {verb} {resource} {scope} (RBAC forbids it)',
    why: 'A program in the cluster calls the API server as its ServiceAccount, and that may do only what a Role or ClusterRole bound to it allows. None allows {subject} to {verb} {resource} {scope}, so the call is forbidden; {consequence}',
  },

  clues: {
    denied: proves(denied),
    escalation: proves(escalation),
    kubeletApi: proves(kubeletApi),
    plain: proves(plain),
    controller: proves(controller),
    owner: proves(owner),
    noRole: supports(noRole),
    cannot: supports('object.right', ({ allowed, who }) => !allowed && /^system:serviceaccount:/.test(who ?? '')),
    anonymous: excludes(anonymous),
  },
  says: {
    denied: 'the API server says: {subject} cannot {verb} {resource} {scope}',
    escalation: '{subject} wants to grant rights that it does not have itself',
    kubeletApi: 'the kubelet refuses {subject}: {verb} {resource}',
    plain: 'the API server does not allow the call: {verb} {resource}',
    controller: 'the ingress controller says that its calls are forbidden (RBAC)',
    owner: 'the API server refuses {child} that name an owner: the account may not update its finalizers',
    noRole: 'the binding names a role that does not exist: {role}',
    cannot: 'kubectl auth can-i says no',
    anonymous: 'it presents no valid credentials (system:anonymous), so no role can help',
  },
  slots: (
    place,
    { denied: no, escalation: grant, kubeletApi: kubelet, plain: call, controller: ingress, owner: owned, noRole: absent, cannot },
  ) => {
    const user = no?.fields['user'] ?? kubelet?.fields['user'] ?? grant?.fields['user'] ?? cannot?.who ?? '';
    const account = ACCOUNT.exec(user)?.groups;
    const group = no?.fields['group'];
    const resource =
      no?.fields['resource'] ??
      (kubelet ? `${kubelet.fields['resource']}/${kubelet.fields['sub']}` : undefined) ??
      call?.fields['resource'] ??
      cannot?.resource ??
      (owned ? 'the finalizers of the owner (its subresource OWNER/finalizers)' : undefined) ??
      (grant ? 'roles' : ingress ? 'the objects that an ingress controller reads' : 'objects');
    const inside = no?.fields['namespace'];
    const { namespace } = namesOf(place);
    return {
      subject: account
        ? `ServiceAccount ${account['namespace']}/${account['name']}`
        : user === ''
          ? ingress
            ? 'the ServiceAccount of the ingress controller'
            : 'the ServiceAccount'
          : `user ${user}`,
      user: user || 'system:serviceaccount:NAMESPACE:NAME',
      verb:
        no?.fields['verb'] ??
        kubelet?.fields['verb'] ??
        VERBS[call?.fields['verb'] ?? ''] ??
        cannot?.verb ??
        (grant ? 'grant' : owned ? 'update' : 'use'),
      resource: group ? `${resource}.${group}` : resource,
      scope: inside === undefined ? 'at the cluster scope' : `in namespace ${inside}`,
      child: owned?.fields['child'] ?? 'objects',
      role: absent?.fields['role'] ?? 'unknown',
      inside: inside ?? account?.['namespace'] ?? namespace,
      account: account ? `${account['namespace']}:${account['name']}` : 'NAMESPACE:NAME',
      // An account of its own lacks a rule; the default one was most likely not meant.
      accountField: account?.['name'] === 'default' ? 'serviceAccountName' : '',
      roleName: account ? `${account['name']}-extra` : 'extra',
      consequence:
        inside === undefined
          ? 'a Role in one namespace does not suffice for a request over all namespaces: that needs a ClusterRole and a ClusterRoleBinding.'
          : 'controllers that wait for their caches never become ready or end with an error.',
    };
  },

  fixes: [
    {
      say: 'See what the account may do, and which bindings name it',
      risk: 'reads-only',
      steps: [
        { say: 'the right in question', run: 'kubectl auth can-i {{verb}} {{resource}} --as={{user}} -n {{inside}}', on: 'cluster' },
        { say: 'all its rights', run: 'kubectl auth can-i --list --as={{user}} -n {{inside}}', on: 'cluster' },
        { say: 'bindings that name it', run: 'kubectl get rolebindings,clusterrolebindings -A -o wide | grep {{account}}', on: 'cluster' },
      ],
    },
    {
      say: 'Grant it: a Role or ClusterRole with {verb} on {resource}, and a RoleBinding or ClusterRoleBinding for {subject}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'best by the RBAC manifests of the chart or operator in the same version (missing after an upgrade, or rbac.create=false)',
          on: 'cluster',
        },
        {
          say: 'by hand, for one namespace',
          run: 'kubectl -n {{inside}} create role {{roleName}} --verb={{verb}} --resource={{resource}} && kubectl -n {{inside}} create rolebinding {{roleName}} --role={{roleName}} --serviceaccount={{account}}',
          on: 'cluster',
        },
        {
          say: 'by hand, for the whole cluster',
          run: 'kubectl create clusterrole {{roleName}} --verb={{verb}} --resource={{resource}} && kubectl create clusterrolebinding {{roleName}} --clusterrole={{roleName}} --serviceaccount={{account}}',
          on: 'cluster',
        },
      ],
      verified: 'kubectl auth can-i says yes, and the log has no more "is forbidden"',
    },
    {
      say: 'Or the pod runs under the wrong account: set serviceAccountName to the one that has the rights',
      risk: 'restarts-pods',
      steps: [{ say: 'accounts of the namespace', run: 'kubectl -n {{inside}} get serviceaccounts', on: 'cluster' }],
      changes: [
        {
          do: 'workload-set',
          field: '{{accountField}}',
          value: { ask: 'serviceAccount', says: 'the ServiceAccount of the namespace that has the rights' },
        },
      ],
      verified: 'the log has no more "is forbidden"',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/errors.go',
    'kubernetes plugin/pkg/auth/authorizer/rbac/rbac.go',
  ],
});
