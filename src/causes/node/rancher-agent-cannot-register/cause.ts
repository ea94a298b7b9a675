import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['system-log', 'host-tools', 'prose', 'container-log'] as const;
/** The script of system-agent-install.sh and the agent itself compare the CA of Rancher with the checksum of the command. */
const checksum = line(
  ['Configured cacerts checksum', 'CATTLE_CA_CHECKSUM is set but there is no CA'],
  SAID_BY,
  /Configured cacerts checksum \([^)\n]{1,80}\) does not match|CATTLE_CA_CHECKSUM is set but there is no CA certificate/,
);
/** What stands under the address of Rancher is no certificate, or curl got no answer at all. */
const noAnswer = line(
  [
    '/ping is not accessible',
    'does not look like an x509 certificate',
    'Error connecting to Rancher.',
    'received while downloading Rancher connection information',
    'received while testing Rancher connection',
    'received while downloading the CA certificate',
  ],
  SAID_BY,
  /(?<url>https?:\/\/[^\s/]{1,253})\/ping is not accessible \((?<reason>[^)\n]{2,200})|Value from (?<page>https?:\/\/\S{1,300}) does not look like an x509 certificate|(?<connecting>Error connecting to Rancher\. Perhaps --ca-checksum needs to be set)|(?<code>\d{3}) received while (?:downloading|testing) (?:the )?(?:Rancher connection|CA certificate)/,
);
const agent = line(
  ['rancher-system-agent', 'rancher-connection-info', 'rancher2_connection_info', '/v3/connect', 'cattle-cluster-agent', 'CATTLE_SERVER'],
  SAID_BY,
  /(?:rancher-system-agent|connection-info|\/v3\/connect|cattle-cluster-agent|CATTLE_SERVER)[^\n]{0,400}?(?:(?<tls>x509: [^\n"\\]{3,120})|(?<net>i\/o timeout|no such host|connection refused|no route to host|network is unreachable|Could not resolve host[^\n"]{0,100}|timed out)|(?<denied>401 Unauthorized|403 Forbidden|: Unauthorized))/,
);
/** The plan of Rancher runs a step on the machine: mostly the installer of rke2 or k3s. */
const step = line(
  [
    'error executing instruction',
    'error loading CA',
    'received secret to process that was older',
    'error while connecting to Kubernetes cluster',
  ],
  ['system-log', 'container-log', 'prose'],
  /(?<instruction>error executing instruction \d{1,4}[^\n"]{0,100})|(?<older>received secret to process that was older than the last secret operated on)|error while connecting to Kubernetes cluster: (?<connect>[^\n]{3,300})/,
);
const applied = line(
  ['successfully registered rancher', 'successfully registered agent'],
  [],
  /successfully registered (?:the )?(?:rancher|agent)/i,
);

export const cause = defineCause({
  id: 'rancher-agent-cannot-register',
  area: 'node',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['node-not-ready', 'kubelet-down', 'crash-loop', 'restarts', 'other-trouble'],

  text: {
    name: 'Agent of Rancher cannot register',
    title: 'The agent of Rancher on {node} does not get through: {what}',
    why: 'Machines of a cluster that Rancher manages run an agent (rancher-system-agent, cattle-cluster-agent). It asks the URL of Rancher for its plan, and the plan installs rke2 or k3s. Here {what}. {hint}',
  },

  clues: {
    checksum: proves(checksum),
    noAnswer: proves(noAnswer),
    agent: proves(agent),
    step: supports(step),
    applied: excludes(applied),
  },
  says: {
    checksum: 'the CA of the Rancher server is not the one of the registration command',
    noAnswer: 'the agent asks the URL of Rancher, and the answer is not the one it wants: {said}',
    agent: 'the agent gets no answer from Rancher: {said}',
    step: 'the agent says: {said}',
    applied: 'the agent has registered since',
  },
  slots: (place, { checksum: other, noAnswer, agent: call, step: plan }) => {
    const { reason, page, connecting, code } = noAnswer?.fields ?? {};
    // An answer of 000 is none: curl did not get through.
    const got =
      code === undefined
        ? undefined
        : code === '000'
          ? { net: 'no answer' }
          : /^40[13]$/.test(code)
            ? { denied: code }
            : { connect: `HTTP ${code}` };
    const fields: Record<string, string | undefined> = { ...plan?.fields, ...call?.fields, ...got };
    const asked =
      reason ?? (page ? `${page} gives no certificate` : connecting ? 'the connection fails; perhaps its CA is not known' : undefined);
    const tls = fields['tls'] ?? (/x509/.test(fields['connect'] ?? '') ? fields['connect'] : undefined);
    const [what, hint] = other
      ? [
          'the certificate authority of the Rancher server is not the one the registration command names (CA checksum mismatch)',
          'The certificate of Rancher or of the proxy before it was changed after the command was made, or another server answers.',
        ]
      : tls
        ? [
            `the certificate of the Rancher server is not trusted (${tls.slice(0, 120)})`,
            'Its CA must be set in Rancher (cacerts) and reach the agent by --ca-checksum.',
          ]
        : asked
          ? [
              `the URL of the Rancher server does not answer as it should (${asked})`,
              'Name (DNS in the pod), proxy (NO_PROXY), firewall on port 443 and certificate between here and Rancher.',
            ]
          : fields['denied']
            ? [
                `Rancher refuses its token (${fields['denied']})`,
                'The machine was deleted in Rancher, or the command belongs to another cluster.',
              ]
            : fields['net']
              ? [
                  `the URL of the Rancher server is not reached (${fields['net']})`,
                  'Name, proxy (NO_PROXY) and firewall on port 443 from this machine to Rancher.',
                ]
              : fields['connect']
                ? [`it cannot connect (${fields['connect'].slice(0, 120)})`, '']
                : fields['older']
                  ? [
                      'its plan is older than the last one it worked on: it waits for Rancher',
                      'Often after Rancher was restored from a backup; a new registration of the machine helps.',
                    ]
                  : [
                      'a step of its plan fails (mostly the installation or the start of rke2 or k3s)',
                      'The lines above it, and the journal of rke2-server, rke2-agent or k3s, tell why.',
                    ];
    return {
      node: place.name,
      what: what ?? '',
      hint: hint ?? '',
      said: (asked ?? Object.values(fields).find((value) => value) ?? 'see its message').slice(0, 160),
    };
  },

  fixes: [
    {
      say: 'See what the agent says, and try its way to Rancher by hand',
      risk: 'reads-only',
      steps: [
        {
          say: 'the agent and what it installs',
          run: 'journalctl -u rancher-system-agent -n 40 --no-pager; journalctl -u rke2-server -u rke2-agent -u k3s -n 40 --no-pager',
          on: 'node',
        },
        {
          say: 'the CA that Rancher hands out, and its checksum; it must be the one in the registration command',
          run: 'curl -skS https://RANCHER/ping; curl -skS https://RANCHER/cacerts | sha256sum',
          on: 'node',
        },
      ],
    },
    {
      say: 'Copy the registration command anew from Rancher (cluster, tab Registration) and run it again',
      risk: 'touches-node',
      steps: [
        {
          say: 'after a change of the certificate of Rancher: first set the setting cacerts in Rancher to the new CA, with its intermediates',
          run: 'rancher-system-agent-uninstall.sh; systemctl status rke2-server rke2-agent --no-pager | head -5',
          on: 'node',
        },
      ],
      verified: 'the machine is Active in Rancher',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['rancher/system-agent install.sh, pkg/k8splan/watcher.go, pkg/applyinator/applyinator.go', 'rancher/rancher package/run.sh'],
});
