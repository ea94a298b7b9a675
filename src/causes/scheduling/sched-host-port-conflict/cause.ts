import {
  accountsForAll,
  defineCause,
  excludes,
  leadsAmongOthers,
  leadsIn,
  line,
  minutes,
  namesOf,
  needs,
  objectOf,
  othersIn,
  proves,
  supports,
} from '../../define-cause.ts';

const refused = line(
  ["didn't have free ports for the requested pod ports", 'PodFitsHostPorts'],
  ['pod-events', 'pod-status', 'control-plane-log'],
  /(?<refusal>(?:\d{1,6}\/\d{1,6} )?nodes are available[^\n]{0,4000})/,
);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], 'pod-events');

const OWN = /didn't have free ports|PodFitsHostPorts/;

export const cause = defineCause({
  id: 'sched-host-port-conflict',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'stable',
  explains: ['pending'],

  text: {
    name: 'Host port taken',
    title: 'The hostPort of {name} is already taken on {count} nodes',
    why: 'A hostPort can be used by one pod per node. On {count} nodes another pod has the port already (mostly another replica, or the old pod of a rolling update), so the scheduler has nowhere to place this one and it stays Pending.',
  },

  clues: {
    pending: needs('pod.symptom', ({ symptom }) => symptom === 'pending'),
    leading: needs('pod.unschedulable', leadsIn(OWN)),
    sole: proves('pod.unschedulable', accountsForAll(OWN)),
    message: supports(refused),
    beside: supports('pod.unschedulable', leadsAmongOthers(OWN)),
    hostNetwork: supports('pod.host-network'),
    placed: excludes(placed),
  },
  says: {
    pending: 'the pod waits for a node',
    leading: 'no other reason holds back more of the nodes it may use',
    sole: 'this reason alone keeps it from all nodes',
    message: 'the scheduler says: {count} nodes have no free port for it',
    beside: 'nodes are out for other reasons too: {others}',
    hostNetwork: 'it uses the network of the host, so each containerPort is a port of the node',
    placed: 'it has been placed since; the refusals are over',
  },
  slots: (place, { leading, beside }) => {
    const own = (leading?.reasons ?? []).filter(({ text }) => OWN.test(text));
    const of = leading?.nodes ? ` of ${leading.nodes}` : '';
    return {
      others: othersIn(beside ?? leading, OWN),
      ...namesOf(place),
      object: objectOf(place, 'Deployment', 'StatefulSet'),
      name: place.name,
      count: `${own[0]?.count ?? 'all'}${of}`,
    };
  },

  fixes: [
    {
      say: 'Find who holds the port on each node',
      risk: 'reads-only',
      steps: [
        {
          say: 'all pods with a hostPort, and their nodes',
          run: "kubectl get pods -A -o custom-columns='NODE:.spec.nodeName,NAMESPACE:.metadata.namespace,POD:.metadata.name,HOSTPORTS:.spec.containers[*].ports[*].hostPort' | grep -v '<none>$' | sort",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Have no more replicas than nodes, and let the old pod go first',
      risk: 'restarts-pods',
      steps: [
        { say: 'one pod per node is what a DaemonSet is for; else lower the number of replicas', on: 'cluster' },
        {
          say: 'a rolling update needs room: maxSurge 0, or strategy Recreate',
          run: `kubectl -n {{namespace}} patch {{target}} -p '{"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":0,"maxUnavailable":1}}}}'`,
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'object-set',
          object: '{{object}}',
          field: 'spec.replicas',
          value: { ask: 'replicas', says: 'how many pods there shall be: at most as many as nodes have the port free' },
        },
      ],
      verified: 'the pod has the event Scheduled',
    },
    {
      say: 'Do without the hostPort: a Service (NodePort, LoadBalancer) needs none; or take another port',
      risk: 'restarts-pods',
      steps: [{ say: 'remove or change hostPort under ports', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' }],
      changes: [{ do: 'workload-unset', field: 'ports.0.hostPort' }],
      verified: 'the pod has the event Scheduled',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/scheduler/framework/plugins/nodeports/node_ports.go'],
});
