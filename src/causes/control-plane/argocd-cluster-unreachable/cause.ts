import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const SAID_BY = ['objects', 'container-log', 'object-events'] as const;

const cluster = line(
  [
    'failed to get cluster info for',
    'error synchronizing cache state',
    'failed to sync cluster http',
    'failed to get cluster version for cluster',
  ],
  SAID_BY,
  /failed to get cluster (?:info|version) for (?:cluster )?[\\"]{1,12}(?<server>https?:\/\/[\w.:[\]-]{3,253})[\\"]{1,12}: (?:error synchronizing cache state ?: )?(?<error>[^\n]{5,400})|failed to sync cluster (?<other>https?:\/\/[\w.:[\]-]{3,253}):? {0,3}(?:failed to load initial state of resource [\w.]{1,200}: )?(?<why>[^\n]{5,400})|error synchronizing cache state ?: (?<state>[^\n]{5,300})/,
);
const unknown = line(
  ['there are no clusters with this name', 'has not been configured'],
  SAID_BY,
  /unable to find destination server[^\n]{0,80}?: there are no clusters with this (?:name|server): (?<name>[^\s"\\]{1,253})|cluster [\\"']{1,4}(?<server>https?:\/\/[\w.:-]{3,253})[\\"']{1,4} has not been configured/,
);
const webhook = line(['conversion webhook for'], [], /conversion webhook for [^\n]{1,200}? failed/);
const rights = line(['cannot list resource'], [], /User [\\"]{1,8}system:serviceaccount:[^\n]{1,200}? cannot list resource/);

export const cause = defineCause({
  id: 'argocd-cluster-unreachable',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'failed'],

  text: {
    name: 'Argo CD lost a cluster',
    title: 'Argo CD does not get into the cluster {server}: {what}',
    why: 'For every cluster it deploys to, Argo CD keeps address and credentials in a Secret (label argocd.argoproj.io/secret-type: cluster). With those it does not get in ({error}): {what}. All applications of that cluster are Unknown and nothing is synced; what runs there runs on.',
  },

  clues: {
    cluster: proves(cluster),
    unknown: proves(unknown),
    webhook: excludes(webhook),
    rights: excludes(rights),
  },
  says: {
    cluster: 'Argo CD cannot read the cluster: {error}',
    unknown: 'Argo CD knows no such cluster',
    webhook: 'a conversion webhook in that cluster fails, the cluster itself answers',
    rights: 'it gets in, but its account may not read something',
  },
  slots: (_place, { cluster: lost, unknown: absent }) => {
    const error = (lost?.fields['error'] ?? lost?.fields['why'] ?? lost?.fields['state'])?.replaceAll('\\', '').trim().slice(0, 200);
    const server = lost?.fields['server'] ?? lost?.fields['other'] ?? absent?.fields['server'] ?? absent?.fields['name'];
    return {
      server: server ?? 'of the application',
      error: error ?? 'not configured',
      what: absent
        ? 'no cluster of that name or address is registered'
        : /provide credentials|Unauthorized|401|token/i.test(error ?? '')
          ? 'its token or client certificate has expired or was revoked'
          : /x509|certificate/.test(error ?? '')
            ? 'the certificate of that API server is not the one it knows'
            : /dial tcp|timeout|no such host|refused|EOF|deadline/.test(error ?? '')
              ? 'the API server there is not reached'
              : 'that cluster does not answer as it should',
    };
  },

  fixes: [
    {
      say: 'See what Argo CD says of its clusters',
      risk: 'reads-only',
      steps: [
        { say: 'state of each', run: 'argocd cluster list', on: 'cluster' },
        { say: 'the Secrets behind them', run: 'kubectl -n argocd get secrets -l argocd.argoproj.io/secret-type=cluster', on: 'cluster' },
      ],
    },
    {
      say: 'Register the cluster anew: that writes fresh credentials',
      risk: 'restarts-pods',
      steps: [
        { say: 'with a context that gets in as an administrator', run: 'argocd cluster add CONTEXT --name NAME --upsert', on: 'cluster' },
        {
          say: 'its token lives in the other cluster: Secret argocd-manager-token in kube-system; client certificates have to be renewed before they run out',
          run: 'kubectl --context CONTEXT -n kube-system get secrets | grep argocd-manager',
          on: 'cluster',
        },
      ],
      verified: 'argocd cluster list shows Successful',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['argo-cd controller/cache/cache.go, gitops-engine pkg/cache/cluster.go, util/argo/argo.go'],
});
