import {
  defineCause,
  excludes,
  imageIn,
  minutes,
  notAboutNode,
  notByContainers,
  on,
  proves,
  pullLine,
  registryAnswers,
  registryIn,
  sandboxImagePull,
  waitsForImage,
} from '../../define-cause.ts';

/** The groups tell what is wrong with the certificate, or that there is none. */
const distrust = pullLine(
  [
    'x509: cert',
    'x509: cannot',
    'x509: unhandled',
    'x509: invalid',
    'x509: negative',
    'http response to https client',
    'failed to verify certificate',
    'does not look like a TLS handshake',
    'remote error: tls',
    'tls: handshake failure',
    'tls: oversized record',
    'protocol version not supported',
  ],
  /(?<authority>(?:x509: )?certificate (?:signed by unknown authority|is not trusted))|(?<expired>(?:x509: )?certificate has expired or is not yet valid)|(?<name>x509: certificate is valid for [^"\\\n]{1,400}|x509: cannot validate certificate for [^"\\\n]{1,200}|x509: certificate (?:relies on legacy Common Name field|is not valid for any names)[^"\\\n]{0,200})|(?<client>remote error: tls: (?:certificate required|bad certificate|unknown certificate(?: authority)?|(?:expired|revoked) certificate))|(?<plain>server gave HTTP response to HTTPS client|first record does not look like a TLS handshake|tls: oversized record)|(?<other>x509: [^"\\\n]{5,200}|remote error: tls: [^"\\\n]{3,100}|tls: handshake failure|protocol version not supported)/,
  { also: ['kubeadm-output'] },
);
const answered = registryAnswers('unknown', 'denied', 'throttled');

interface Trouble {
  readonly short: string;
  readonly trouble: string;
}

const HANDSHAKE: Trouble = { short: 'TLS handshake fails', trouble: 'the TLS handshake fails' };
const TROUBLES: Readonly<Record<string, Trouble>> = {
  authority: {
    short: 'unknown certificate authority',
    trouble: 'its certificate is signed by an authority (CA) the node does not know',
  },
  expired: {
    short: 'certificate expired or not yet valid',
    trouble: 'its certificate has expired or is not yet valid (or the clock of the node is wrong)',
  },
  name: { short: 'certificate of another host', trouble: 'its certificate is not made out for that host name or address' },
  client: {
    short: 'it accepts only clients with a certificate it knows',
    trouble: 'it demands a client certificate, and the one of the node is missing, expired or of an authority it does not know',
  },
  plain: { short: 'plain HTTP, no HTTPS', trouble: 'it speaks plain HTTP, and the runtime insists on HTTPS' },
};

function troubleIn(fields: Readonly<Record<string, string>> | undefined): Trouble {
  const kind = Object.keys(TROUBLES).find((name) => fields?.[name] !== undefined);
  return TROUBLES[kind ?? ''] ?? HANDSHAKE;
}

export const cause = defineCause({
  id: 'image-registry-tls-untrusted',
  area: 'image',
  at: 'Node',
  maturity: 'stable',
  explains: ['image-pull'],
  effectOf: ['clock-skew'],
  wakesOn: [on('pod.symptom', { symptom: 'image-pull' })],

  text: {
    name: 'Registry certificate not trusted',
    title: '{node} {stands} the registry {registry}: {short}',
    why: 'The runtime pulls only over HTTPS with a certificate it can verify. It reached {registry}, but {trouble}, so it broke off. Private registries with a CA of their own need that CA (or an explicit insecure entry) in the configuration of the runtime on every node.',
  },

  clues: {
    stuck: waitsForImage,
    distrust: proves(distrust, notByContainers),
    answered: excludes(answered, notAboutNode),
    sandbox: excludes(sandboxImagePull, notAboutNode),
  },
  says: {
    stuck: 'a pod waits for its image',
    distrust: 'the connection to {registry} is broken off: {trouble}',
    answered: 'the registry answers: no such image, no right to it, or too many pulls',
    sandbox: 'it is the pause image of the node that cannot be had',
  },
  slots: (place, { distrust }) => {
    const registry = distrust?.fields['host'] ?? registryIn(imageIn(distrust) ?? '') ?? 'REGISTRY';
    return {
      node: place.name,
      registry,
      address: registry.includes(':') ? registry : `${registry}:443`,
      stands: distrust?.fields['client'] === undefined ? 'does not trust' : 'is turned away by',
      ...troubleIn(distrust?.fields),
    };
  },

  fixes: [
    {
      say: 'Look at the certificate as the node sees it, and at its clock',
      risk: 'reads-only',
      steps: [
        {
          say: 'issuer, names and dates of the certificate',
          run: 'openssl s_client -connect {{address}} -showcerts </dev/null 2>/dev/null | openssl x509 -noout -issuer -subject -dates -ext subjectAltName',
          on: 'node',
        },
        { say: 'a wrong clock makes good certificates invalid', run: 'timedatectl', on: 'node' },
      ],
    },
    {
      say: 'containerd: trust the CA of {registry} on {node}',
      risk: 'touches-node',
      steps: [
        {
          say: 'config.toml must have config_path = "/etc/containerd/certs.d" in the registry section (restart containerd after adding it)',
          run: 'grep -n config_path /etc/containerd/config.toml',
          on: 'node',
        },
        {
          say: 'the CA file and a hosts.toml that names it; read anew at each pull',
          run: `mkdir -p /etc/containerd/certs.d/{{registry}} && cp ca.crt /etc/containerd/certs.d/{{registry}}/ && printf 'server = "https://%s"\\n[host."https://%s"]\\n  ca = "ca.crt"\\n' {{registry}} {{registry}} > /etc/containerd/certs.d/{{registry}}/hosts.toml`,
          on: 'node',
        },
      ],
      verified: 'an event Pulled',
    },
    {
      say: 'Docker and CRI-O, or the whole host',
      risk: 'touches-node',
      steps: [
        {
          say: 'Docker: no restart needed',
          run: 'mkdir -p /etc/docker/certs.d/{{registry}} && cp ca.crt /etc/docker/certs.d/{{registry}}/',
          on: 'node',
        },
        {
          say: 'CRI-O',
          run: 'mkdir -p /etc/containers/certs.d/{{registry}} && cp ca.crt /etc/containers/certs.d/{{registry}}/',
          on: 'node',
        },
        {
          say: 'system store, then restart the runtime',
          run: 'cp ca.crt /usr/local/share/ca-certificates/registry-ca.crt && update-ca-certificates',
          on: 'node',
          family: 'debian',
        },
        {
          say: 'system store, then restart the runtime',
          run: 'cp ca.crt /etc/pki/ca-trust/source/anchors/registry-ca.crt && update-ca-trust',
          on: 'node',
          family: 'rhel',
        },
      ],
    },
    {
      say: 'Renew an expired or wrongly named certificate at the registry; for a registry on plain HTTP, allow it explicitly as insecure',
      risk: 'touches-node',
      steps: [
        {
          say: 'containerd: server = "http://…" and skip_verify = true in hosts.toml; Docker: "insecure-registries" in /etc/docker/daemon.json and a restart; CRI-O: insecure = true in /etc/containers/registries.conf',
          run: `mkdir -p /etc/containerd/certs.d/{{registry}} && printf 'server = "http://%s"\\n' {{registry}} > /etc/containerd/certs.d/{{registry}}/hosts.toml`,
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'go crypto/x509/verify.go, net/http/transport.go',
    'containerd docs/hosts.md, core/remotes/docker/config/hosts.go',
    'moby registry/config.go',
  ],
});
