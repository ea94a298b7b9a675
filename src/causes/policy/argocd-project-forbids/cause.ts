import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const SAID_BY = ['objects', 'container-log', 'object-events'] as const;

const destination = line(
  ['do not match any of the allowed destinations', 'application destination '],
  SAID_BY,
  /application destination (?:server '(?<server>[^'\n]{0,300})' and namespace '(?<namespace>[^'\n]{0,63})' do not match any of the allowed destinations in project|[^\n]{1,300}? is not permitted in project) '?(?<project>[\w.-]{1,253})/,
);
const resource = line(
  ['is not permitted in project'],
  SAID_BY,
  /(?:resource (?<group>[\w.]{0,200}):(?<kind>[A-Z]\w{1,80})|namespace (?<namespace>[\w-]{1,63})|application repo (?<repo>[^\s]{3,300})) is not permitted in project '?(?<project>[\w.-]{1,253})/,
);
const missing = line(
  ['referencing project '],
  SAID_BY,
  /[Aa]pplication referencing project '?(?<project>[\w.-]{1,253}?)'? (?:which does not exist|that does not exist)/,
);
const user = line(
  ['PermissionDenied desc = permission denied: '],
  SAID_BY,
  /PermissionDenied desc = permission denied: (?<what>[a-z]{3,30}, [\w/*]{2,60}), (?<object>[^,\n]{1,300}), sub: (?<who>[^,\n]{1,200})/,
);
const since = line(['Synced to '], [], /^Sync Status:[ \t]{1,30}Synced to /m);

export const cause = defineCause({
  id: 'argocd-project-forbids',
  area: 'policy',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'failed', 'no-pods'],

  text: {
    name: 'Argo CD project forbids it',
    title: 'The Argo CD project {project} does not allow the application: {what}',
    why: 'An AppProject of Argo CD lists which repositories, which clusters and namespaces, and which kinds of objects its applications may use. Argo CD itself refuses, before anything reaches the cluster: {what}. RBAC of Kubernetes has no part in it.',
  },

  clues: {
    destination: proves(destination),
    resource: proves(resource),
    missing: proves(missing),
    user: proves(user),
    since: excludes(since),
  },
  says: {
    destination: 'the destination is not among those the project {project} allows',
    resource: 'the project {project} does not allow this: {what}',
    missing: 'the application names a project that does not exist',
    user: 'the account may not do this in Argo CD: {what}',
    since: 'it was synced since',
  },
  slots: (_place, { destination: where, resource: kind, missing: gone, user: who }) => {
    const project = (where ?? kind ?? gone)?.fields['project'] ?? who?.fields['object']?.split('/')[0] ?? 'default';
    const denied = kind?.fields['kind'] ? `${kind.fields['kind']}${kind.fields['group'] ? ` (${kind.fields['group']})` : ''}` : undefined;
    return {
      project,
      name: /^[\w.-]{1,253}$/.test(project) ? project : 'PROJECT',
      what: where
        ? where.fields['server']
          ? `namespace ${where.fields['namespace']} at ${where.fields['server']} is not among its destinations`
          : 'the cluster or namespace is not among its destinations'
        : denied
          ? `objects of kind ${denied} are not among the resources it allows`
          : kind?.fields['namespace']
            ? `namespace ${kind.fields['namespace']} is not among its destinations`
            : kind?.fields['repo']
              ? `${kind.fields['repo']} is not among its source repositories`
              : gone
                ? 'the project does not exist'
                : who
                  ? `${who.fields['who']} may not ${who.fields['what']} on ${who.fields['object']}`
                  : 'it is not among what the project lists',
    };
  },

  fixes: [
    {
      say: 'See what the project allows',
      risk: 'reads-only',
      steps: [
        {
          say: 'sourceRepos, destinations, clusterResourceWhitelist, namespaceResourceWhitelist and blacklists',
          run: 'kubectl -n argocd get appproject {{name}} -o yaml',
          on: 'cluster',
        },
        { say: 'roles of users and tokens', run: 'kubectl -n argocd get configmap argocd-rbac-cm -o yaml', on: 'cluster' },
      ],
    },
    {
      say: 'Allow it in the project, or give the application another project or destination',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'add the missing entry: a destination, a repository, or group and kind under clusterResourceWhitelist for kinds without a namespace',
          run: 'kubectl -n argocd edit appproject {{name}}',
          on: 'cluster',
        },
      ],
      verified: 'the application has no condition InvalidSpecError any more and syncs',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['argo-cd util/argo/argo.go (ValidatePermissions), controller/sync.go, util/rbac'],
});
