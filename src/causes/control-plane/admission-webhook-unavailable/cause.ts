import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const failed = line(
  ['failed calling webhook', 'failed calling admission webhook', 'failed to call webhook'],
  ['object-events', 'control-plane-log', 'objects', 'container-log', 'kubelet-log'],
  /^(?![\s\S]*failing open)[\s\S]*?failed calling (?:admission )?webhook [\\"“”]{1,8}(?<webhook>[^\s\\"“”]{1,200})[\\"“”]{1,8}:? ?(?<rest>[\s\S]{0,1500})/,
);
const denied = line(
  'denied the request',
  ['object-events', 'objects'],
  /admission webhook [\\"“”]{1,8}[^\s\\"“”]{1,200}[\\"“”]{1,8} denied the request/,
);

interface Fault {
  readonly pattern: RegExp;
  readonly says: string;
  readonly hint: string;
}

/** What the API server met when it called, told by the end of its message. */
const FAULTS: readonly Fault[] = [
  {
    pattern:
      /x509: certificate signed by unknown authority|x509: certificate is not valid for|certificate is valid for|verification error/i,
    says: 'the API server does not trust its certificate (x509, caBundle does not match)',
    hint: 'The caBundle in the webhook configuration is empty or not the CA that signed the serving certificate.',
  },
  {
    pattern: /certificate has expired/i,
    says: 'its serving certificate has expired (x509)',
    hint: 'The serving certificate of the webhook was not renewed.',
  },
  {
    pattern: /no endpoints available for service/i,
    says: 'no pod of it is ready (no endpoints available for its Service)',
    hint: 'The pods behind the Service are down or not ready, perhaps because their own creation needs this webhook: a deadlock.',
  },
  {
    pattern: /service [\\"“”]{1,8}[^\s\\"“”]{1,200}[\\"“”]{1,8} not found/i,
    says: 'its Service does not exist',
    hint: 'The program was uninstalled and its webhook configuration left behind.',
  },
  {
    pattern: /no such host|server misbehaving/i,
    says: 'its name does not resolve',
    hint: 'The configuration names a URL or Service that does not exist.',
  },
  {
    pattern: /connection refused/i,
    says: 'nothing listens behind its Service (connection refused)',
    hint: 'The pod of the webhook is there but not up.',
  },
  {
    pattern: /context deadline exceeded|Client\.Timeout|i\/o timeout|TLS handshake timeout|no route to host/i,
    says: 'it does not answer in time (timeout)',
    hint: 'The control plane does not reach the pod network (firewall or security group for the target port), or the webhook is overloaded.',
  },
  {
    pattern: /unexpected (?:response|status)|the server (?:is currently unable|could not find)|EOF|50[0234]/i,
    says: 'it answers with an error',
    hint: 'The webhook program itself fails; see its log.',
  },
];

export const cause = defineCause({
  id: 'admission-webhook-unavailable',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['no-pods', 'other-trouble'],
  effectOf: ['coredns-loop', 'overlay-traffic-blocked'],

  text: {
    name: 'Admission webhook fails',
    title: 'The admission webhook {webhook} cannot be called: {fault}',
    why: 'Before the API server stores an object it asks the webhook {webhook} for consent, and the policy of that webhook (failurePolicy Fail) is to refuse when the call fails: {fault}. So objects it is responsible for, pods among them, cannot be created. {hint}',
  },

  clues: {
    failed: proves(failed),
    denied: excludes(denied),
  },
  says: {
    failed: 'calling the webhook {webhook} failed: {fault}',
    denied: 'a webhook is reached and refuses on purpose: a policy',
  },
  slots: (_place, { failed: said }) => {
    const rest = said?.fields['rest'] ?? '';
    const fault = FAULTS.find(({ pattern }) => pattern.test(rest));
    const service = /https:\/\/(?<name>[\w-]{1,63})\.(?<namespace>[\w-]{1,63})\.svc/.exec(rest)?.groups;
    return {
      webhook: said?.fields['webhook'] ?? 'of some program',
      fault: fault?.says ?? 'the call fails',
      hint: fault?.hint ?? '',
      service: service?.['name'] ?? 'SERVICE',
      namespace: service?.['namespace'] ?? 'NAMESPACE',
    };
  },

  fixes: [
    {
      say: 'See who serves the webhook and whether it is up',
      risk: 'reads-only',
      steps: [
        {
          say: 'which configuration it belongs to',
          run: 'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml | grep -nE "^  +name: |failurePolicy|caBundle: .{0,20}" | grep -B3 -A3 {{webhook}}',
          on: 'cluster',
        },
        {
          say: 'its Service, endpoints and pods',
          run: 'kubectl -n {{namespace}} get svc,endpoints {{service}}; kubectl -n {{namespace}} get pods -o wide',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Bring the webhook back: restart its pods; for a certificate error reissue the certificate and update the caBundle',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'restart the program that serves it; most programs (istiod, cert-manager cainjector, operators) write certificate and caBundle anew',
          run: 'kubectl -n {{namespace}} get deployments; kubectl -n {{namespace}} rollout restart deployment NAME',
          on: 'cluster',
        },
        {
          say: 'timeouts: let the control plane reach the target port of the webhook on the nodes (firewall, security group)',
          on: 'cluster',
        },
      ],
      verified: 'FailedCreate stops and the controllers create their pods',
    },
    {
      say: 'If it stands in its own way, switch it off for a while',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'keep a copy, then delete the configuration; its program or chart makes it again (policies are not enforced meanwhile)',
          run: 'kubectl get mutatingwebhookconfiguration,validatingwebhookconfiguration -o yaml > webhooks-before.yaml',
          on: 'cluster',
        },
        { say: 'delete the one that names {webhook}', run: 'kubectl delete mutatingwebhookconfiguration NAME', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes staging/src/k8s.io/apiserver/pkg/util/webhook/error.go',
    'kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook',
  ],
});
