import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const CHANNELS = ['objects', 'prose', 'container-log'] as const;
const refused = line(
  [
    'cannot delete DaemonSet-managed Pods',
    'cannot delete Pods with local storage',
    'cannot delete Pods declare no controller',
    'cannot delete Pods not managed by',
    'cannot delete Pods that declare no controller',
  ],
  CHANNELS,
  /cannot delete (?<daemons>DaemonSet-managed Pods)|cannot delete (?<local>Pods with local storage)|cannot delete Pods (?<bare>(?:that )?declare no controller|not managed by)/,
);
const local = line('cannot delete Pods with local storage', CHANNELS, /cannot delete (?<local>Pods with local storage)/);
const bare = line(
  ['cannot delete Pods declare no', 'cannot delete Pods that declare', 'cannot delete Pods not managed'],
  CHANNELS,
  /cannot delete Pods (?<bare>(?:that )?declare no controller|not managed by)/,
);
const drained = line(' drained', [], /^node\/[a-z0-9.-]{1,253} drained$/m);

export const cause = defineCause({
  id: 'drain-refuses-pods',
  area: 'policy',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'stuck-terminating'],

  text: {
    name: 'Drain refuses to delete pods',
    title: 'kubectl drain stops before it evicts anything: the node has {what}',
    why: 'kubectl drain looks through the pods of the node first and stops where deleting them might surprise: pods of DaemonSets (they would come back at once), pods with emptyDir volumes (their data is lost), pods without a controller (nobody makes them anew). Here the node has {what}. The node stays cordoned, its pods run on. Nothing is broken: the options say that it is meant so.',
  },

  clues: {
    refused: proves(refused),
    local: proves(local),
    bare: proves(bare),
    drained: excludes(drained),
  },
  says: {
    refused: 'kubectl drain refuses to delete some pods of the node',
    local: 'some pods keep data in emptyDir volumes',
    bare: 'some pods have no controller that would make them anew',
    drained: 'the node is drained by now',
  },
  slots: (_place, { refused: first, local: data, bare: lone }) => {
    const daemons = first?.fields['daemons'] !== undefined;
    const emptyDir = (data ?? first)?.fields['local'] !== undefined;
    const alone = (lone ?? first)?.fields['bare'] !== undefined;
    const kinds = [
      ...(daemons ? ['pods of DaemonSets'] : []),
      ...(emptyDir ? ['pods with local storage (emptyDir)'] : []),
      ...(alone ? ['pods without a controller'] : []),
    ];
    return { what: kinds.join(', ') || 'pods it may not delete unasked' };
  },

  fixes: [
    {
      say: 'See which pods they are',
      risk: 'reads-only',
      steps: [{ say: 'all pods of the node', run: 'kubectl get pods -A -o wide --field-selector spec.nodeName=NODE', on: 'cluster' }],
    },
    {
      say: 'Drain again and leave the pods of DaemonSets where they are',
      risk: 'moves-pods',
      steps: [{ say: 'they tolerate the cordon and go with the node', run: 'kubectl drain NODE --ignore-daemonsets', on: 'cluster' }],
      verified: 'kubectl says: node/NODE drained',
    },
    {
      say: 'If the data in emptyDir and pods without a controller may go, say so too',
      risk: 'may-lose-data',
      steps: [
        {
          say: '--force deletes pods that nobody makes anew; before 1.20 the option was --delete-local-data',
          run: 'kubectl drain NODE --ignore-daemonsets --delete-emptydir-data --force',
          on: 'cluster',
        },
      ],
      verified: 'kubectl says: node/NODE drained',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes staging/src/k8s.io/kubectl/pkg/drain/filters.go'],
});
