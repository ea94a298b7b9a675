import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

/** Until 0.5 metrics-server wrote the status in another form, and the nodes in one long line. */
const refused = line(
  ['Failed to scrape node', 'unable to fully scrape metrics', 'unable to fully collect metrics', 'unable to fetch metrics from'],
  ['container-log'],
  /(?:Failed to scrape node|unable to (?:fully )?(?:scrape|collect|fetch) metrics)[^\n]{0,400}?request failed(?:, status:| -) {0,2}[\\"]{0,8}(?<code>401|403|404) (?<words>Unauthorized|Forbidden|Not Found)(?![^\n]{0,80}Forbidden \(user=)(?:[^\n]{0,40}?node[\\"]{0,4}[=:](?:\{[\\"]{1,4}name[\\"]{1,4}:)?[\\"]{1,4}(?<node>[\w.-]{1,253}))?/i,
);
const nothing = line(
  ['no metrics to serve', 'metric-storage-ready', 'last tick wasn'],
  ['container-log', 'pod-events'],
  /no metrics to serve|metric-storage-ready failed|last tick wasn't healthy/,
);
const account = line(['Forbidden (user=system:serviceaccount'], []);

export const cause = defineCause({
  id: 'metrics-server-refused',
  area: 'kubelet',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['not-ready', 'crash-loop', 'other-trouble'],

  text: {
    name: 'Kubelets refuse metrics-server',
    title: 'The kubelet{node} answers metrics-server with {answer}: {what}',
    why: 'metrics-server reads the usage of pods from port 10250 of every kubelet. The port is reached and the certificate accepted, but the answer is {answer}: {mechanism} It stays unready, kubectl top and the HorizontalPodAutoscalers have no numbers; the pods themselves run.',
  },

  clues: {
    refused: proves(refused),
    nothing: supports(nothing),
    account: excludes(account),
  },
  says: {
    refused: 'the kubelet answers with {answer}',
    nothing: 'metrics-server has no metrics to serve',
    account: 'the kubelet names the right that the account lacks',
  },
  slots: (_place, { refused: said }) => {
    const code = said?.fields['code'] ?? '404';
    const node = said?.fields['node'];
    const [what, mechanism] =
      code === '404'
        ? [
            'this metrics-server is newer than the kubelet',
            'metrics-server from 0.6 on asks for /metrics/resource, which kubelets have since 1.19 (its settings may switch it off too); older ones only know /stats/summary.',
          ]
        : code === '401'
          ? [
              'the kubelet does not take tokens of service accounts',
              'without authentication.webhook.enabled (--authentication-token-webhook) a kubelet accepts client certificates only.',
            ]
          : [
              'its account may not read nodes/metrics or nodes/stats',
              'the ClusterRole of metrics-server is missing or older than metrics-server itself.',
            ];
    return {
      node: node === undefined ? '' : ` of ${node}`,
      answer: `${code} ${code === '404' ? 'Not Found' : code === '401' ? 'Unauthorized' : 'Forbidden'}`,
      what: what ?? '',
      mechanism: mechanism ?? '',
    };
  },

  fixes: [
    {
      say: 'Compare the versions, and ask a kubelet yourself',
      risk: 'reads-only',
      steps: [
        {
          say: 'versions of metrics-server and of the kubelets',
          run: 'kubectl -n kube-system get deploy metrics-server -o jsonpath="{.spec.template.spec.containers[0].image}"; kubectl get nodes',
          on: 'cluster',
        },
        {
          say: 'the same question through the API server',
          run: 'kubectl get --raw /api/v1/nodes/NODE/proxy/metrics/resource | head',
          on: 'cluster',
        },
      ],
    },
    {
      say: '404: install the metrics-server that fits the kubelets (0.5 for Kubernetes before 1.19), or upgrade the nodes',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'its page lists which versions go together',
          run: 'kubectl -n kube-system rollout history deploy/metrics-server',
          on: 'cluster',
        },
      ],
      verified: 'metrics-server is ready, and kubectl top nodes answers',
    },
    {
      say: '401: let the kubelets check tokens: authentication.webhook.enabled: true and authorization.mode: Webhook',
      risk: 'touches-node',
      steps: [
        { say: 'what is set', run: "grep -nE -A3 'authentication:|authorization:|webhook:' /var/lib/kubelet/config.yaml", on: 'node' },
        { say: 'then', run: 'systemctl restart kubelet', on: 'node' },
      ],
      verified: 'metrics-server is ready, and kubectl top nodes answers',
    },
    {
      say: '403: apply the RBAC rules of the same release as metrics-server (nodes/metrics)',
      risk: 'restarts-pods',
      steps: [{ say: 'what it may do', run: 'kubectl get clusterrole system:metrics-server -o yaml', on: 'cluster' }],
      verified: 'metrics-server is ready, and kubectl top nodes answers',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes-sigs/metrics-server pkg/scraper, README (compatibility matrix), KNOWN_ISSUES.md',
    'kubernetes pkg/kubelet/server/auth.go',
  ],
});
