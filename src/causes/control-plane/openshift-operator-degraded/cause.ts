import { defineCause, excludes, excludesEverywhere, line, minutes, on, proves, supports } from '../../define-cause.ts';

/** The installer, oc adm must-gather and the ClusterVersion name operators in words of their own. */
const told = line(
  ['Cluster operator ', 'clusteroperator/', 'the cluster operator '],
  ['objects', 'container-log', 'prose'],
  /Cluster operator (?<operator>[a-z][a-z-]{2,60}) (?:(?<degraded>Degraded is True)|(?<unavailable>Available is False)) with [\w:]{0,400}?: (?<message>[^\n]{3,400})|clusteroperator\/(?<named>[a-z][a-z-]{2,60}) is (?:not available|degraded)(?: \((?<why>[^\n]{3,400}))?|the cluster operator (?<waiting>[a-z][a-z-]{2,60}) (?:has not yet successfully rolled out|is (?:degraded|not available))/,
);
const done = line(['Install complete!', 'Cluster is running at version', 'Cluster initialization completed'], []);

interface Sort {
  readonly pattern: RegExp;
  readonly says: string;
  readonly hint: string;
}

/** What the messages of operators mean where they do not say it. */
const SORTS: readonly Sort[] = [
  {
    pattern: /EtcdMembers(?:Degraded|Available)|members are available|unhealthy members?/,
    says: 'a member of etcd does not run or answer',
    hint: 'See its node and disk; a member whose machine is gone must be removed before a new one can come.',
  },
  {
    pattern: /NodeControllerDegraded|master nodes? not ready|node \S{1,253} not ready/i,
    says: 'a control plane node is not Ready',
    hint: 'Its kubelet, network or certificates: pending certificate requests keep nodes NotReady after a long stop.',
  },
  {
    pattern: /NodeInstallerDegraded|InstallerPod|StaticPods?Degraded|StaticPodsAvailable/,
    says: 'a new revision of a static pod of the control plane does not come up on a node',
    hint: 'See the installer and the static pod of that revision on that node.',
  },
  {
    pattern: /NoReadyIngressNodes|requires at least one schedulable and ready node/,
    says: 'no node is ready for the routers',
    hint: 'Workers have not joined: approve their certificate requests (oc get csr), or make masters schedulable.',
  },
  {
    pattern: /storage backend not configured|unable to sync storage configuration|Storage must be|no default storage/i,
    says: 'the image registry has no storage',
    hint: 'Give it a claim (configs.imageregistry storage.pvc), emptyDir for a trial, or set managementState to Removed.',
  },
  {
    pattern: /FailingAvailableCheck|APIServices?Available|PreconditionNotReady|not registered/,
    says: 'API services of OpenShift do not answer',
    hint: 'Pods of openshift-apiserver and openshift-oauth-apiserver, or the pod network between them and the control plane.',
  },
  {
    pattern: /WellKnown|well-known/,
    says: 'the login endpoint is not published by the API servers yet',
    hint: 'The kube-apiserver pods have not all got their new revision: see the operator kube-apiserver.',
  },
  {
    pattern: /RequiredPoolsFailed|MachineConfigPool|machineconfigpool|failed to drain/i,
    says: 'a pool of machines does not get its configuration',
    hint: 'See oc get mcp and the log of the machine-config-daemon on the node that stands still.',
  },
  {
    pattern: /DaemonSet "?\S{3,120}"? rollout is not making progress|is not available \(awaiting \d+ nodes\)|RolloutHung/,
    says: 'network pods do not come up on some nodes',
    hint: 'See the pods of that DaemonSet on those nodes.',
  },
];

function sortOf(message = ''): Sort | undefined {
  return SORTS.find(({ pattern }) => pattern.test(message));
}

function isBadOperator({ about, status }: { readonly about: string; readonly status: string }): boolean {
  return about.startsWith('Object/ClusterOperator/') && /^(?:degraded|unavailable)$/.test(status);
}

export const cause = defineCause({
  id: 'openshift-operator-degraded',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['control-plane-down', 'other-trouble'],
  effectOf: [
    'openshift-apps-domain-unreachable',
    'csr-not-approved',
    'machine-config-not-applied',
    'etcd-no-quorum-or-slow',
    'control-plane-cert-expired',
    'node-unreachable',
  ],
  // It passes on what an operator reports.
  restates: true,
  wakesOn: [on('object.status', { status: 'degraded' }), on('object.status', { status: 'unavailable' })],

  text: {
    name: 'Operator of OpenShift degraded',
    title: 'OpenShift reports its operator {operator} as {state}: {what}',
    why: 'Every part of OpenShift is kept by an operator, which reports Available, Progressing and Degraded. {operator} is {state}: {what}. {hint} Installations and upgrades wait until all operators are well.',
  },

  clues: {
    // What the operator saw is a proof only where its message tells the fault.
    explained: proves('object.status', (status) => isBadOperator(status) && sortOf(status.detail) !== undefined),
    listed: supports('object.status', isBadOperator),
    told: supports(told),
    done: excludesEverywhere(excludes(done)),
  },
  says: {
    explained: 'the operator {operator} tells it: {message}',
    listed: 'oc get co lists {operator} as {state}',
    told: 'it is told of the operator {operator}: {message}',
    done: 'the installation or upgrade has come to its end',
  },
  slots: (_place, { explained, listed: first, told: said }) => {
    const listed = explained ?? first;
    const operator =
      listed?.about.split('/').at(-1) ?? said?.fields['operator'] ?? said?.fields['named'] ?? said?.fields['waiting'] ?? 'in question';
    const message = (listed?.detail ?? said?.fields['message'] ?? said?.fields['why'] ?? '').trim().slice(0, 300);
    const sort = sortOf(message);
    return {
      operator,
      state: listed?.status === 'unavailable' || said?.fields['unavailable'] ? 'not Available' : 'Degraded',
      message: message || 'without a message',
      what: sort ? `${sort.says} (${message.slice(0, 120)})` : message || 'its conditions tell why',
      hint: sort?.hint ?? '',
    };
  },

  fixes: [
    {
      say: 'Read the conditions of {operator}, then the pods of its namespace',
      risk: 'reads-only',
      steps: [
        {
          say: 'all conditions in full',
          run: 'oc get co {{operator}} -o jsonpath=\'{range .status.conditions[*]}{.type}={.status} {.reason}: {.message}{"\\n"}{end}\'',
          on: 'cluster',
        },
        {
          say: 'what it looks after',
          run: 'oc get co {{operator}} -o jsonpath=\'{.status.relatedObjects}\'; oc get pods -A | grep -vE "Running|Completed"',
          on: 'cluster',
        },
        {
          say: 'the usual suspects below many operators: nodes, certificate requests, etcd',
          run: 'oc get nodes; oc get csr | grep Pending; oc -n openshift-etcd get pods',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Pending certificate requests of nodes: approve them, twice (client, then serving)',
      risk: 'touches-node',
      steps: [{ say: 'after a look at them', run: 'oc get csr -o name | xargs oc adm certificate approve', on: 'cluster' }],
      verified: 'oc get nodes shows all Ready, and oc get co recovers within minutes',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['openshift/api config/v1/types_cluster_operator.go', 'openshift/installer cmd/openshift-install (log of cluster operators)'],
});
