import { defineCause, excludes, line, minutes, proves, startupFault, supports } from '../../define-cause.ts';

const LOGS = ['control-plane-log', 'container-log', 'system-log'] as const;
const unknownFlag = line(
  ['unknown flag: --', 'unknown shorthand flag', 'flag provided but not defined', 'bad flag syntax'],
  LOGS,
  /(?:unknown flag: |flag provided but not defined: )(?<flag>--?[\w-]{2,80})/,
);
const badValue = line(
  ['invalid argument "', 'invalid argument \\"', 'unrecognized feature gate', 'feature is locked to', 'plugin "', 'is unknown'],
  LOGS,
  /(?<fault>invalid argument [\\"]{1,4}[^\n]{1,200}? for [\\"]{1,4}(?<flag>--[\w-]{2,80})[^\n]{0,200}|unrecognized feature gate: \w{1,80}|cannot set feature gate \w{1,80} to \w{4,5}, feature is locked to \w{4,5}|(?:enable-admission-plugins|disable-admission-plugins|admission-control) plugin [\\"]{1,4}\w{1,80}[\\"]{1,4} is unknown)/,
);
const required = line(
  [
    'service-account-issuer is a required flag',
    'are required flags',
    'etcd-servers must be specified',
    'service-cluster-ip-range',
    'is not a valid mode',
    'unknown api groups',
    'unknown api versions',
    'apiserver-count',
  ],
  LOGS,
  /(?<fault>(?:--)?service-account-issuer is a required flag[^\n"\]]{0,160}|--etcd-servers must be specified|(?:specified )?--(?:secondary-)?service-cluster-ip-range(?!=)[^\n"]{1,160}|[^\n":]{0,60}is not a valid mode[^\n"]{0,80}|unknown api (?:groups|versions)[^\n"]{0,120})/,
);
const missingFile = line(
  [
    '/etc/kubernetes/',
    'private key does not match public key',
    'failed to read file path',
    'encryption provider config',
    'audit policy',
    'invalid authentication config',
    'invalid authorization config',
  ],
  LOGS,
  /(?<fault>(?:loading audit policy file|error opening encryption provider configuration file|error while opening encryption provider configuration file|failed to parse encryption)[^\n]{0,200}?open (?<only>\/[^\s:"\\]{1,200}): (?:no such file or directory|permission denied)|open (?<file>\/[^\s:"\\]{1,200}): (?:no such file or directory|permission denied)|tls: private key does not match public key|failed to (?:parse|decode|load|read)[^\n]{0,60}(?:audit policy|encryption provider|authentication config|authorization config|admission control)[^\n]{0,200}|invalid (?:authentication|authorization) config: [^\n]{3,200})/,
);
/** An address of etcd that is none: it cannot even be dialled. */
const etcdAddress = line(
  ['too many colons in address', 'missing port in address', 'unsupported protocol scheme', 'unknown port'],
  LOGS,
  /(?:createTransport failed to connect|etcd-servers|transport: Error while dialing|storage-backend)[\s\S]{0,300}?address (?<url>[^\s"\\]{1,200}?):? (?<fault>too many colons in address|missing port in address|unknown port)/,
);
const died = line(
  'command failed',
  ['control-plane-log'],
  /command failed[\\"]{0,4}(?: err=[\\"]{1,4}|: )(?<fault>[^\n]{3,400}?)(?:[\\"]{1,4}$|$)/m,
);
const portTaken = line(
  ['failed to create listener', 'failed to listen on'],
  LOGS,
  /failed to listen on (?<address>[\w.:[\]-]{3,80}): [^\n"]{0,60}address already in use/,
);
const etcdAway = line(
  ['dial tcp', 'context deadline exceeded'],
  [],
  /command failed[\s\S]{0,60}context deadline exceeded|Error while dialing[\s\S]{0,80}:(?:2379|4001): connect: connection refused/,
);

const OTHERS = /^(?:kube-(?:controller|scheduler|proxy)|kubelet|etcd|cloud-controller)/;
/** The API server speaks: its own log, or a flag or file that only it has. */
function bySelf({ about, channel, by }: { readonly about: string; readonly channel: string; readonly by?: string }): boolean {
  return (
    /kube-apiserver/.test(about) || (channel === 'control-plane-log' && about.startsWith('Node/') && (by === undefined || !OTHERS.test(by)))
  );
}
const ITS_FLAGS =
  /--(?:insecure-port|insecure-bind-address|kubelet-https|enable-swagger-ui|service-account-(?:issuer|signing-key-file|key-file|api-audiences)|basic-auth-file|admission-control|enable-admission-plugins|disable-admission-plugins|etcd-\w[\w-]{1,40}|apiserver-count|storage-backend|storage-media-type|service-cluster-ip-range|service-node-port-range|runtime-config|oidc-[\w-]{1,40}|audit-[\w-]{1,40}|encryption-provider-config|experimental-encryption-provider-config|kubelet-client-[\w-]{1,40}|kubelet-preferred-address-types|proxy-client-[\w-]{1,40}|requestheader-[\w-]{1,40}|repair-malformed-updates|target-ram-mb|authorization-mode|token-auth-file|advertise-address|allow-privileged|enable-aggregator-routing)$/;
const ITS_WORDS =
  /admission-plugins|admission-control plugin|service-account|etcd-servers|service-cluster-ip-range|valid mode|api (?:groups|versions)|audit policy|encryption provider|invalid auth(?:entication|orization) config|pki\/(?:apiserver|sa\.|front-proxy|etcd\/|ca\.)/;

export const cause = defineCause({
  id: 'apiserver-flag-or-manifest-error',
  area: 'control-plane',
  at: 'Pod',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'kube-apiserver start-up error',
    title: 'kube-apiserver exits at once: {fault}',
    why: 'kube-apiserver reads its flags and files before anything else and ends with an error when one is wrong: {fault}. The kubelet starts it again and again from /etc/kubernetes/manifests/kube-apiserver.yaml, the API stays away (connection refused on 6443). Usual moments: an edited manifest, an upgrade that removed a flag, feature gate or admission plugin, or a file that is not mounted into the pod.',
  },

  clues: {
    unknownFlag: proves(unknownFlag, (fact) => bySelf(fact) || ITS_FLAGS.test(fact.fields['flag'] ?? '')),
    badValue: proves(
      badValue,
      (fact) => bySelf(fact) || ITS_FLAGS.test(fact.fields['flag'] ?? '') || ITS_WORDS.test(fact.fields['fault'] ?? ''),
    ),
    someGate: supports(
      badValue,
      (fact) =>
        !/kubelet|kube-(?:scheduler|controller|proxy)/.test(`${fact.about} ${fact.channel}`) &&
        /feature gate/.test(fact.fields['fault'] ?? ''),
    ),
    required: proves(required, (fact) => bySelf(fact) || ITS_WORDS.test(fact.fields['fault'] ?? '')),
    missingFile: proves(missingFile, (fact) => bySelf(fact) || fact.fields['only'] !== undefined),
    someFile: supports(
      missingFile,
      (fact) =>
        !bySelf(fact) &&
        !OTHERS.test(fact.by ?? '') &&
        fact.channel !== 'kubelet-log' &&
        fact.fields['only'] === undefined &&
        ITS_WORDS.test(fact.fields['fault'] ?? ''),
    ),
    etcdAddress: proves(etcdAddress, (fact) => bySelf(fact) || /:(?:2379|4001)\b/.test(fact.fields['url'] ?? '')),
    died: proves(died, (fact) => bySelf(fact) && !/context deadline exceeded|connection refused/.test(fact.fields['fault'] ?? '')),
    portTaken: proves(portTaken, (fact) => bySelf(fact) || /:6443$/.test(fact.fields['address'] ?? '')),
    etcdAway: excludes(etcdAway),
  },
  says: {
    unknownFlag: 'it says: unknown flag {flag}',
    badValue: 'it does not accept a value: {fault}',
    someGate: 'a program of the control plane does not know a feature gate: {fault}',
    required: 'a flag is missing or wrong: {fault}',
    missingFile: 'it cannot use a file: {fault}',
    someFile: 'a file of the API server cannot be used: {fault}',
    etcdAddress: 'the address of etcd in its flag --etcd-servers cannot be used: {url}',
    died: 'its last words: {fault}',
    portTaken: 'its port is taken: {address}',
    etcdAway: 'it waits for etcd, which does not answer',
  },
  slots: (
    _place,
    {
      unknownFlag: flag,
      badValue: value,
      someGate: gate,
      required: need,
      missingFile: file,
      someFile: other,
      etcdAddress: dial,
      died: end,
      portTaken: port,
    },
  ) => {
    const said = value ?? gate ?? need ?? file ?? end ?? other;
    const name = flag?.fields['flag'];
    return {
      flag: name ?? 'of its manifest',
      url: dial?.fields['url'] ?? 'see its message',
      address: port?.fields['address'] ?? 'its address',
      fault:
        name !== undefined
          ? `unknown flag ${name} (removed in this version or misspelt)`
          : dial
            ? `its flag --etcd-servers has an address that is none: ${dial.fields['url']} (${dial.fields['fault']}; http:// or https://, host and port are wanted)`
            : port
              ? `${port.fields['address']} is already in use`
              : (startupFault(said?.fields['fault']) ??
                (said?.fields['fault'] ?? 'its flags or files are wrong').replaceAll('\\"', '"').slice(0, 220)),
      what:
        name ??
        (dial && '--etcd-servers') ??
        (need && flagsIn(need.fields['fault'])) ??
        file?.fields['only'] ??
        file?.fields['file'] ??
        other?.fields['file'] ??
        value?.fields['flag'] ??
        'what the message names',
    };
  },

  fixes: [
    {
      say: 'Read its last words and its manifest on the control-plane node',
      risk: 'reads-only',
      steps: [
        { say: 'the log of the last attempt', run: 'crictl logs --tail=40 $(crictl ps -a --name kube-apiserver -q | head -1)', on: 'node' },
        { say: 'without crictl', run: 'tail -n 20 /var/log/pods/kube-system_kube-apiserver-*/kube-apiserver/*.log', on: 'node' },
        { say: 'the manifest: flags, volumes and volumeMounts', run: 'cat /etc/kubernetes/manifests/kube-apiserver.yaml', on: 'node' },
      ],
    },
    {
      say: 'Correct the flag or file in /etc/kubernetes/manifests/kube-apiserver.yaml: {what}',
      risk: 'touches-node',
      steps: [
        {
          say: 'keep a copy elsewhere (never in the manifests folder, the kubelet would run it too)',
          run: 'cp /etc/kubernetes/manifests/kube-apiserver.yaml /var/tmp/kube-apiserver.before.yaml',
          on: 'node',
        },
        {
          say: 'remove or correct {what}; a file it names must exist on the host and be mounted into the pod',
          run: 'vi /etc/kubernetes/manifests/kube-apiserver.yaml',
          on: 'node',
        },
        {
          say: 'flags set by kubeadm stand in its ConfigMap too, else the next upgrade brings them back',
          run: 'kubectl -n kube-system edit configmap kubeadm-config',
          on: 'cluster',
        },
      ],
      verified: 'curl -k https://127.0.0.1:6443/livez prints ok',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes cmd/kube-apiserver/app/options/validation.go',
    'kubernetes staging/src/k8s.io/component-base/cli/run.go',
    'kubernetes staging/src/k8s.io/component-base/featuregate/feature_gate.go',
  ],
});

/** The flags a complaint names. */
function flagsIn(fault: string | undefined): string | undefined {
  const flags = [...(fault ?? '').matchAll(/--[a-z][\w-]{2,60}/g)].map(([flag]) => flag);
  return flags.length > 0 ? [...new Set(flags)].join(', ') : undefined;
}
