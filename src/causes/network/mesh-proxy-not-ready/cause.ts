import { defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const noConfig = line(
  ['Envoy proxy is NOT ready: config not received'],
  'container-log',
  /Envoy proxy is NOT ready: config not received from (?<from>XDS server|Pilot)/,
);
const rejected = line(
  ['Envoy proxy is NOT ready', 'but was rejected', 'rejected: Error adding/updating'],
  'container-log',
  /Envoy proxy is NOT ready: (?:config received from XDS server, but was rejected|[^\n]{0,160}lds updates: \d{1,6} successful, [1-9]\d{0,6} rejected|cds updates: \d{1,6} successful, [1-9]\d{0,6} rejected)(?<rest>[^\n]{0,120})|gRPC config for [\w./]{3,120} rejected: (?<refused>Error adding\/updating [^\n]{3,200})/,
);
const noControl = line(
  ['istiod.istio-system', 'xds-grpc', 'istio-pilot.', 'linkerd-identity', 'linkerd-dst', 'gRPC config stream'],
  'container-log',
  // The webhook of the mesh lives at the same address; who calls that is the API server.
  /^(?![\s\S]{0,3000}?(?:webhook|\/inject\b))[\s\S]{0,3000}?(?:(?<server>istiod(?:-[\w-]{1,60})?\.[\w.-]{1,100}|istio-pilot\.[\w.-]{1,100}|linkerd-(?:identity|dst)[\w.-]{0,100})(?::\d{1,5})?[^\n]{0,120}?(?<error>no such host|connection refused|i\/o timeout|context deadline exceeded|no route to host|x509: [^\n"]{3,100})|gRPC config stream (?:to xds-grpc )?closed[^\n]{0,20}?: (?<code>\d{1,2}), (?<stream>[^\n]{3,160}))/,
);
const noRights = line(
  ['you must be root', 'unable to initialize table', "can't initialize iptables table"],
  'container-log',
  /(?<error>(?:can't initialize iptables table [^\n]{1,60}|[^\n]{0,60})Permission denied \(you must be root\)|unable to initialize table '?\w{1,20}'?)/,
);
/** Only the init container of Linkerd says this, after a call of iptables that failed. */
const aborted = line(
  ['aborting firewall configuration', 'iptables who?'],
  ['container-log', 'pod-status', 'prose'],
  /aborting firewall configuration|iptables-save v[\d.]{1,8} \((?<mode>legacy|nf_tables)\): Cannot initialize: iptables who\?/i,
);
/** Rules live as long as the sandbox: an init container that runs again (a prune of containers, a restart) meets its own. */
const again = line(
  ['Chain already exists', 'File exists', 'iptables-restore: line'],
  'container-log',
  /(?<error>(?<!ip6?tables-restore for \w{3,8}: exit status \d \()(?:iptables|ip6tables)(?:-restore)?: (?:Chain already exists\.?|line \d{1,4} failed))/,
);
/** istio-validation connects to itself through the rules that istio-cni should have made. */
const noRedirect = line(
  ['127.0.0.6:15002', 'iptables validation failed'],
  ['container-log', 'prose'],
  /(?<error>127\.0\.0\.6:15002: connect: connection refused|iptables validation failed[^\n]{0,80})/,
);
const issuer = line(
  ['could not process CSR because of CA cert validation failure', 'Failed to certify identity', 'failed to validate issuer credentials'],
  'container-log',
  /could not process CSR because of CA cert validation failure: (?<ca>[^\n"\\]{3,200})|Failed to certify identity: (?<certify>[^\n]{3,200})|failed to validate issuer credentials: (?<credentials>[^\n"\\]{3,200})/,
);
/** The proxy shows its service account token to the control plane. */
const noToken = line(
  ['failed to read token file', 'istio-token: ', 'fetch JWT token', 'failed to get credential token', 'tokens/istio-token'],
  ['container-log', 'prose'],
  /(?:open |read |stat )[\w./]{0,40}\/secrets\/tokens\/(?:istio|linkerd)[\w-]{0,40}: (?<error>permission denied|no such file or directory)/,
);
const ready = line(['Envoy proxy is ready'], 'container-log', /Envoy proxy is ready/);

function isMeshInit({ about }: { readonly about: string }): boolean {
  return /\/(?:istio-init|istio-validation|linkerd-init|osm-init|kuma-init|consul-connect-inject-init)$/.test(about);
}

function isNameless({ about }: { readonly about: string }): boolean {
  return /^(?:Pod|Container)\/\?\/\?/.test(about);
}

export const cause = defineCause({
  id: 'mesh-proxy-not-ready',
  area: 'network',
  at: 'Workload',
  maturity: 'stable',
  explains: ['not-ready', 'init-crash', 'init-stuck', 'crash-loop', 'restarts', 'failed', 'other-trouble'],
  effectOf: ['cluster-dns-unanswered', 'networkpolicy-blocks', 'service-selects-no-ready-pods', 'clock-skew'],

  text: {
    name: 'Mesh sidecar is not ready',
    title: 'The service mesh sidecar of {workload} does not become ready: {what}',
    why: 'In a mesh every pod has a proxy beside its program. An init container redirects the traffic to it with iptables, and the proxy gets configuration and certificate from the control plane (istiod, linkerd). Here {what}, so the pod stays unready whatever its program does, and its traffic goes nowhere.',
  },

  clues: {
    waitsLong: proves(noConfig, ({ count }) => count >= 3),
    waits: supports(noConfig),
    rejected: proves(rejected),
    noControl: proves(noControl),
    noRights: proves(noRights, isMeshInit),
    aborted: proves(aborted, ({ about, fields }) => fields['mode'] === undefined || isMeshInit({ about })),
    again: proves(again, isMeshInit),
    againSomewhere: supports(again, isNameless),
    noRedirect: proves(noRedirect),
    issuer: proves(issuer),
    noToken: proves(noToken),
    ready: excludes(ready),
    well: excludes('pod.status', isWell),
  },
  says: {
    waitsLong: 'again and again the proxy has no configuration from the control plane',
    waits: 'the proxy has no configuration from the control plane yet',
    rejected: 'the proxy rejects the configuration it got',
    noControl: 'the proxy does not reach the control plane: {error}',
    noRights: 'the init container may not write iptables rules: {error}',
    aborted: 'the init container gives up setting iptables rules',
    again: 'the init container finds its rules in place already: {error}',
    againSomewhere: 'whoever sets up iptables here finds its rules in place already: {error}',
    noRedirect: 'the check of the redirection fails: {error}',
    issuer: 'the mesh issues no certificates: {error}',
    noToken: 'the proxy cannot read its service account token: {token}',
    ready: 'the proxy says that it is ready',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (
    place,
    {
      waitsLong,
      waits,
      rejected: refused,
      noControl: control,
      noRights: rights,
      aborted: gaveUp,
      again: named,
      againSomewhere: nameless,
      noRedirect: unset,
      issuer: ca,
      noToken: unread,
    },
  ) => {
    const second = named ?? nameless;
    const issuerError = ca?.fields['ca'] ?? ca?.fields['certify'] ?? ca?.fields['credentials'];
    const error = (
      control?.fields['error'] ??
      control?.fields['stream'] ??
      rights?.fields['error'] ??
      second?.fields['error'] ??
      unset?.fields['error'] ??
      issuerError ??
      'no answer'
    ).trim();
    const server = control?.fields['server'] ?? 'istiod';
    return {
      workload: place.kind === 'Workload' && place.name !== '?' ? place.name : 'the pod',
      namespace: namesOf(place).namespace,
      error,
      token: unread?.fields['error'] ?? 'it is not there',
      what: unread
        ? /denied/.test(unread.fields['error'] ?? '')
          ? 'it runs as user 1337 and may not read its service account token (permission denied): the pod sets another fsGroup, or none'
          : 'its service account token is not mounted (automountServiceAccountToken: false, or the API server issues no such tokens)'
        : rights
          ? /unable to initialize table/.test(error)
            ? `the init container finds no iptables table to write to (${error}): kernel modules (iptable_nat, nf_nat, xt_REDIRECT, xt_owner) are not loaded on the node, or it lacks the capability NET_ADMIN`
            : `the init container may not set up iptables (${error}): it lacks the capability NET_ADMIN, or the kernel lacks the table`
          : gaveUp
            ? 'the init container cannot set its iptables rules: it calls legacy iptables where the kernel of the node has only nf_tables (Red Hat 8 and newer), or the modules ip_tables and iptable_nat are not loaded'
            : second
              ? `its init container runs a second time in the same sandbox and finds its own iptables rules there (${error}); mostly something removed the finished container (docker system prune, a cleaning job), or the first run ended half way; a new pod cures it`
              : unset
                ? 'the redirection of its traffic is not set up: istio-cni did not make the iptables rules of this pod (its DaemonSet does not run on the node, started after the pod, or another CNI configuration is used without it)'
                : refused
                  ? `Envoy rejects the configuration of the control plane (${refused.fields['refused']?.slice(0, 120).trim() ?? 'a faulty EnvoyFilter, VirtualService, Gateway or ServiceEntry'})`
                  : issuerError && !control
                    ? `the identity issuer of the mesh cannot sign its certificate (${issuerError.trim()}): the issuer certificate or trust anchor has expired, or clocks differ`
                    : control
                      ? `it cannot reach the control plane ${server} (${error})`
                      : (waitsLong ?? waits)
                        ? 'it gets no configuration from the control plane (is istiod running and reachable on port 15012?)'
                        : 'the proxy is not configured',
    };
  },

  fixes: [
    {
      say: 'See whether the control plane runs and what the proxy says',
      risk: 'reads-only',
      steps: [
        { say: 'control plane', run: 'kubectl -n istio-system get pods,endpoints -l app=istiod', on: 'cluster' },
        { say: 'state of all proxies', run: 'istioctl proxy-status', on: 'cluster' },
        { say: 'faulty objects', run: 'istioctl analyze -n {{namespace}}', on: 'cluster' },
        {
          say: 'the proxy itself',
          run: 'kubectl -n {{namespace}} logs POD -c istio-proxy --tail=40; kubectl -n {{namespace}} logs POD -c istio-init --tail=20',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Make istiod reachable: its pods ready, DNS working, ports 15010 and 15012 open',
      risk: 'restarts-pods',
      for: ['waits', 'waitsLong', 'noControl'],
      steps: [
        {
          say: 'policies of both namespaces must allow it',
          run: 'kubectl -n {{namespace}} get networkpolicy; kubectl -n istio-system get networkpolicy',
          on: 'cluster',
        },
        {
          say: 'certificates or revision changed: make the pods anew, they get the present sidecar',
          run: 'kubectl -n {{namespace}} rollout restart deployment',
          on: 'cluster',
        },
      ],
      verified: 'the log of the proxy says "Envoy proxy is ready" and the pod is 2/2',
    },
    {
      say: 'Where the configuration is rejected: remove or correct the object that it names',
      risk: 'restarts-pods',
      for: ['rejected'],
      steps: [
        {
          say: 'most often an EnvoyFilter of another version',
          run: 'kubectl get envoyfilters,gateways,virtualservices,serviceentries -A',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Where the init container ran a second time: delete the pod, its successor starts clean; and stop what removes finished containers',
      risk: 'restarts-pods',
      for: ['again'],
      steps: [
        { say: 'make the pod anew', run: 'kubectl -n {{namespace}} delete pod POD', on: 'cluster' },
        {
          say: 'jobs that run docker system prune, docker container prune or crictl rm',
          run: 'grep -rnE "(system|container) prune|docker rm|crictl rm" /etc/cron* /var/spool/cron /etc/systemd/system 2>/dev/null',
          on: 'node',
        },
      ],
      verified: 'the new pod is 2/2 and stays so past the next run of the cleaning job',
    },
    {
      say: 'Where it cannot read its token: let fsGroup 1337 own the volumes of the pod, or mount the token',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the proxy runs as 1337; with fsGroup 1337 in the pod template it may read the token',
          run: 'kubectl -n {{namespace}} patch deployment NAME -p \'{"spec":{"template":{"spec":{"securityContext":{"fsGroup":1337}}}}}\'',
          on: 'cluster',
        },
        {
          say: 'where the file is missing: automountServiceAccountToken must not be false',
          run: 'kubectl -n {{namespace}} get deployments,serviceaccounts -o yaml | grep -n automountServiceAccountToken',
          on: 'cluster',
        },
      ],
      verified: 'the log of the proxy says "Envoy proxy is ready" and the pod is 2/2',
    },
    {
      say: 'Where iptables is forbidden: allow NET_ADMIN and NET_RAW for the init container, or use the CNI plugin of the mesh',
      risk: 'restarts-pods',
      for: ['noRights', 'aborted'],
      steps: [
        { say: 'modules on the node, if the table is missing', run: 'modprobe -a iptable_nat ip_tables xt_REDIRECT', on: 'node' },
        {
          say: 'Linkerd where the kernel has only nf_tables: its init container in nft mode',
          run: 'linkerd upgrade --set proxyInit.iptablesMode=nft | kubectl apply -f -',
          on: 'cluster',
        },
        { say: 'the CNI plugin needs no rights in pods', run: 'istioctl install --set components.cni.enabled=true', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['istio/istio pilot/cmd/pilot-agent/status', 'istio/istio tools/istio-iptables', 'linkerd2-proxy identity client'],
});
