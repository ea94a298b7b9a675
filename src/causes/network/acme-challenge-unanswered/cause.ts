import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['container-log', 'objects', 'object-events'] as const;
const URL = String.raw`https?:\/\/(?<host>[\w.-]{1,253}(?::\d{1,5})?)\/\.well-known\/acme-challenge\/`;

const unreached = line(
  ['/.well-known/acme-challenge/'],
  SAID_BY,
  new RegExp(
    String.raw`(?:self check GET request|could not reach|failed to GET|propagation check)[^\n]{0,40}?${URL}[^\n]{0,600}?(?<error>dial tcp[^\n"\\]{3,200}|context deadline exceeded|EOF|x509: [^\n"\\]{3,160}|no such host)`,
  ),
);
const wrongAnswer = line(
  ['wrong status code', 'did not get expected response when querying endpoint', 'did not return the expected key'],
  SAID_BY,
  /(?<error>wrong status code '?\d{3}'?, expected '?200'?|did not get expected response when querying endpoint|did not return the expected key)/,
);
const refused = line(
  ['urn:ietf:params:acme:error:', 'urn:acme:error:'],
  SAID_BY,
  /urn:(?:ietf:params:)?acme:error:(?<kind>connection|unauthorized|dns|tls|caa|rejectedIdentifier)(?:[: ]{1,3}(?<error>[^\n]{3,300}))?/,
);
const record = line(
  ['DNS record for', 'authoritative nameservers', 'DNS-01 challenge propagation'],
  SAID_BY,
  /DNS record for [\\"']{1,4}(?<host>[\w.*-]{1,253})[\\"']{1,4} not yet propagated|(?<error>[Cc]ould not (?:determine|find) authoritative nameservers?[^\n]{0,120})/,
);
const waiting = line(
  ['HTTP-01 challenge propagation', 'http-01 challenge propagation', 'http-01 self check failed'],
  SAID_BY,
  /Waiting for (?:HTTP|http)-01 challenge propagation|http-01 self check failed/,
);
/** A row of `kubectl get challenges` that is there for more than two minutes: answered ones are deleted. */
function isOpen({ about, status, ageSeconds }: { readonly about: string; readonly status: string; readonly ageSeconds?: number }): boolean {
  return about.startsWith('Object/Challenge/') && /^(?:pending|invalid)$/.test(status) && (ageSeconds ?? 600) >= 120;
}
const limited = line(['acme:error:rateLimited'], [], /acme:error:rateLimited/);

export const cause = defineCause({
  id: 'acme-challenge-unanswered',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'not-ready', 'creating'],

  wakesOn: [on('object.status', { status: 'pending' }), on('object.status', { status: 'invalid' })],

  text: {
    name: 'ACME challenge is not answered',
    title: 'The ACME challenge for {host} is not answered as it should: {what}',
    why: 'For a certificate cert-manager puts up a token, looks for it from inside the cluster (its self check), and only then asks the ACME server to look from outside. Here {what}, so the Challenge stays pending and the Secret of the certificate is not written. {hint}',
  },

  clues: {
    unreached: proves(unreached),
    wrongAnswer: proves(wrongAnswer),
    refused: proves(refused),
    record: proves(record),
    waiting: supports(waiting),
    open: supports('object.status', isOpen),
    limited: excludes(limited),
  },
  says: {
    unreached: 'the self check does not reach {host} from inside the cluster: {error}',
    wrongAnswer: 'something else answers under that name: {error}',
    refused: 'the ACME server looked and refuses: {error}',
    record: 'the DNS record of the challenge is not seen',
    waiting: 'cert-manager waits for the HTTP-01 challenge to be seen',
    open: 'the Challenge is listed as not yet valid',
    limited: 'the ACME server limits the rate: too many certificates were asked for',
  },
  slots: (_place, { unreached: away, wrongAnswer: other, refused: no, record: dns }) => {
    const host = away?.fields['host'] ?? dns?.fields['host'] ?? 'the certificate';
    const error = (away ?? other ?? no ?? dns)?.fields['error']?.trim().slice(0, 160) ?? 'no answer';
    const kind = no?.fields['kind'];
    return {
      host,
      name: host.includes(' ') ? 'HOST' : host.replace(/:\d+$/, ''),
      error,
      what: away
        ? `cert-manager cannot reach its challenge URL from inside the cluster (${error})`
        : other
          ? `the challenge URL gives another answer (${error}): the Ingress of the solver is not served, or the name leads elsewhere`
          : dns && !no
            ? 'the TXT record of the DNS-01 challenge does not show up'
            : no
              ? `the ACME server refuses it (${kind}: ${error})`
              : 'it waits for the challenge to be seen',
      hint: away
        ? 'The name leads to an address that pods cannot get to: a load balancer or router without hairpin, a wrong address in the DNS of the cluster, a firewall or NetworkPolicy on port 80.'
        : 'The name must lead to the ingress controller, port 80 must be open from outside, and the controller must serve the Ingress that the solver makes.',
    };
  },

  fixes: [
    {
      say: 'Follow the name from inside and from outside',
      risk: 'reads-only',
      steps: [
        {
          say: 'challenges and what they wait for',
          run: 'kubectl get challenges,orders,certificates -A; kubectl describe challenges -A | grep -A3 Reason',
          on: 'cluster',
        },
        {
          say: 'where the name leads from inside, and who answers on port 80',
          run: 'kubectl run probe --rm -it --restart=Never --image=busybox:1.36 -- sh -c "nslookup {{name}}; wget -S -O- http://{{name}}/.well-known/acme-challenge/probe"',
          on: 'cluster',
        },
        {
          say: 'the Ingress of the solver and its class',
          run: 'kubectl get ingress,svc,pods -A -l acme.cert-manager.io/http01-solver=true -o wide',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Make the name lead to the ingress controller inside the cluster too: hairpin on the load balancer, a rewrite in the Corefile, or a DNS-01 solver instead',
      risk: 'restarts-pods',
      steps: [{ say: 'in the Corefile', run: 'kubectl -n kube-system edit configmap coredns', on: 'cluster' }],
      verified: 'the Challenge becomes valid and the Certificate is Ready',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'cert-manager pkg/issuer/acme/http/http.go, pkg/issuer/acme/dns/util/wait.go',
    'cert-manager pkg/controller/acmechallenges/sync.go',
    'RFC 8555 section 6.7',
  ],
});
