import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const failed = line(
  ['failed calling webhook', 'failed calling admission webhook', 'failed to call webhook'],
  ['object-events', 'control-plane-log', 'objects', 'container-log', 'kubelet-log'],
  /^(?![\s\S]*failing open)[\s\S]*?failed calling (?:admission )?webhook [\\"“”]{1,8}(?<webhook>[^\s\\"“”]{1,200})[\\"“”]{1,8}:? ?(?<rest>[\s\S]{0,1500})/,
);
/** Objects of a CRD pass a webhook when they are stored in one version and asked for in another. */
const conversion = line(
  ['conversion webhook for'],
  ['object-events', 'control-plane-log', 'objects', 'container-log', 'kubelet-log'],
  /conversion webhook for (?<kind>[\w./-]{1,200}, Kind=\w{1,100}) failed: (?<rest>[\s\S]{3,1500})/,
);
/** The time of a write ran out, mostly in a webhook that does not answer; writes of the kubelet pass none. */
const lateWrite = line('Timeout: request did not complete within', ['object-events', 'control-plane-log', 'objects', 'container-log']);
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

const SLOW = /context deadline exceeded|Client\.Timeout|i\/o timeout|TLS handshake timeout|no route to host/i;
/** What the API server met when it called, told by the end of its message. */
const FAULTS: readonly Fault[] = [
  {
    pattern: /x509: certificate signed by unknown authority|verification error/i,
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
    pattern: /proxyconnect tcp|via proxy/i,
    says: 'the API server calls it by a proxy (HTTPS_PROXY), which does not answer',
    hint: 'Addresses and names of Services must be in NO_PROXY of kube-apiserver (.svc, .cluster.local, the Service and pod networks).',
  },
  {
    pattern: /legacy Common Name field/i,
    says: 'its certificate has no SAN, only a Common Name, which is not accepted any more',
    hint: 'Make the certificate anew with the DNS name of its Service (NAME.NAMESPACE.svc) as subject alternative name.',
  },
  {
    pattern: /certificate is valid for [^\n]{1,200}, not |certificate is not valid for any names/i,
    says: 'its certificate is for another name than that of its Service',
    hint: 'The certificate must name NAME.NAMESPACE.svc: the webhook was installed in another namespace or under another name than its certificate.',
  },
  {
    pattern: /Address is not allowed/i,
    says: 'the control plane may not call the address of its pod (Address is not allowed): it is an address of an overlay network',
    hint: 'A managed control plane (EKS) reaches only addresses of the VPC. Pods of an overlay network (Calico, Weave, Cilium, flannel) have others, so webhook pods must run on the network of the host (hostNetwork: true).',
  },
  {
    pattern: /connection refused/i,
    says: 'nothing listens behind its Service (connection refused)',
    hint: 'The pod of the webhook is there but not up.',
  },
  {
    pattern: SLOW,
    says: 'it does not answer in time (timeout)',
    hint: 'The control plane does not reach the pod network (firewall or security group for the target port), or the webhook is overloaded.',
  },
  {
    pattern:
      /unexpected (?:response|status)|the server rejected our request|the server (?:is currently unable|could not find)|EOF|50[0234]/i,
    says: 'it answers with an error',
    hint: 'The webhook program itself fails; see its log.',
  },
];

const GONE = /no endpoints available for service|service [\\"“”]{1,8}[^\s\\"“”]{1,200}[\\"“”]{1,8} not found|Address is not allowed/i;

/** What the API server met, in its own words: they stand after the address it called. */
function errorOf(rest: string): string | undefined {
  return /timeout=\d{1,4}m?s[\\"“”]{0,4}: (?<error>[^\n]{3,160})/.exec(rest)?.groups?.['error']?.replaceAll('\\', '').trim();
}

/** A request that ran out of time does not tell which webhook kept it. */
const LATE: Omit<Fault, 'pattern'> = {
  says: 'it does not answer in time (timeout)',
  hint: 'A slow etcd can keep a write as long: see whether its log speaks of a slow disk.',
};

export const cause = defineCause({
  id: 'admission-webhook-unavailable',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['no-pods', 'other-trouble'],
  effectOf: ['coredns-loop', 'overlay-traffic-blocked'],

  text: {
    name: 'Admission webhook fails',
    title: 'The {role} webhook {webhook} cannot be called: {fault}',
    why: '{mechanism} Here the call fails: {fault}. {hint}',
  },

  clues: {
    failed: proves(failed),
    slow: proves(failed, ({ fields }) => SLOW.test(fields['rest'] ?? '')),
    gone: proves(failed, ({ fields }) => GONE.test(fields['rest'] ?? '')),
    conversion: proves(conversion),
    lateWrite: supports(lateWrite, ({ channel }) => channel !== 'kubelet-log' && channel !== 'pod-events'),
    denied: excludes(denied),
  },
  says: {
    failed: 'calling the webhook {webhook} failed: {fault}',
    slow: 'the call ended without an answer',
    gone: 'nobody is behind its Service',
    conversion: 'converting {kind} failed: {fault}',
    lateWrite: 'a write to the API server ran out of time',
    denied: 'a webhook is reached and refuses on purpose: a policy',
  },
  slots: (_place, { failed: said, conversion: convert, lateWrite: late }) => {
    const rest = said?.fields['rest'] ?? convert?.fields['rest'] ?? '';
    const kind = convert?.fields['kind'] ?? 'of a CRD';
    const fault = FAULTS.find(({ pattern }) => pattern.test(rest)) ?? (late ? LATE : undefined);
    const service = /https:\/\/(?<name>[\w-]{1,63})\.(?<namespace>[\w-]{1,63})\.svc/.exec(rest)?.groups;
    return {
      webhook: said?.fields['webhook'] ?? (convert ? `for ${kind}` : 'of some program'),
      role: said === undefined && convert ? 'conversion' : 'admission',
      kind,
      mechanism:
        said === undefined && convert
          ? 'A CRD with several versions names a webhook that translates its objects from the stored version to the one asked for. Without it they can be neither read, written nor deleted, and controllers that watch them stand still.'
          : 'Before the API server stores an object it asks the webhook for consent, and the policy of that webhook (failurePolicy Fail) is to refuse when the call fails. So objects it is responsible for, pods among them, cannot be created.',
      fault: fault?.says ?? errorOf(rest) ?? 'the call fails',
      hint: fault?.hint ?? '',
      service: service?.['name'] ?? 'SERVICE',
      namespace: service?.['namespace'] ?? 'NAMESPACE',
    };
  },

  fixes: [
    {
      say: 'Let the control plane reach the port of the webhook pod, not only that of its Service',
      risk: 'touches-node',
      for: ['slow'],
      steps: [
        {
          say: 'the address and port that are really dialled',
          run: 'kubectl -n {{namespace}} get endpoints {{service}}; kubectl -n {{namespace}} get pods -o wide',
          on: 'cluster',
        },
        {
          say: 'GKE, private cluster: the master reaches 443 and 10250 only; allow that port too',
          run: 'gcloud compute firewall-rules create master-to-webhook --network NETWORK --source-ranges MASTER_CIDR --target-tags NODE_TAG --allow tcp:PORT',
          on: 'cluster',
        },
        {
          say: 'EKS and others: allow it from the security group of the control plane to that of the nodes; own masters: firewall and pod network between them',
          run: 'curl -kv --max-time 5 https://POD_IP:PORT/',
          on: 'node',
        },
        {
          say: 'where pods are reached and it is only slow: its load and its timeoutSeconds',
          run: 'kubectl -n {{namespace}} top pods; kubectl -n {{namespace}} logs deployment/NAME --tail=50',
          on: 'cluster',
        },
      ],
      verified: 'the same command goes through',
    },
    {
      say: 'Nobody serves it: bring its program back, or delete the configuration that it left behind',
      risk: 'restarts-pods',
      for: ['gone'],
      steps: [
        {
          say: 'is the program still wanted, and do its pods run',
          run: 'kubectl -n {{namespace}} get deployments,pods,svc,endpoints; kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations',
          on: 'cluster',
        },
        {
          say: 'no longer wanted, or it cannot start because of itself: keep a copy and delete its configurations (policies are not enforced meanwhile)',
          run: 'kubectl get validatingwebhookconfiguration,mutatingwebhookconfiguration -o yaml > webhooks-before.yaml; kubectl delete validatingwebhookconfiguration,mutatingwebhookconfiguration NAME',
          on: 'cluster',
        },
        { say: 'for good: several replicas, a PodDisruptionBudget, and kube-system and its own namespace left out by namespaceSelector' },
      ],
      verified: 'the same command goes through, and waiting pods are created',
    },
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
          say: 'of a CRD: where its conversion goes',
          run: 'kubectl get crd -o custom-columns=NAME:.metadata.name,SERVICE:.spec.conversion.webhook.clientConfig.service.name,NAMESPACE:.spec.conversion.webhook.clientConfig.service.namespace | grep -v "<none>"',
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
        {
          say: 'a managed control plane and an overlay network: put the webhook on the network of the host, with a free port',
          run: 'kubectl -n {{namespace}} patch deployment NAME -p \'{"spec":{"template":{"spec":{"hostNetwork":true,"dnsPolicy":"ClusterFirstWithHostNet"}}}}\'',
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
