import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['host-tools', 'container-log', 'prose', 'system-log'] as const;
/** The scripts behind get.k3s.io and get.rke2.io: `[ERROR]` and one sentence, then they end. */
const refuses = line(
  [
    'to use as a process supervisor for k3s',
    'Download sha256 does not match',
    'download sha256 does not match',
    'Failed to apply container_runtime_exec_t',
    'Only https:// URLs are supported for K3S_URL',
    'because K3S_URL is defined, but K3S_TOKEN',
    'Can not find curl or wget for downloading',
    'Incorrect downloader',
    'Executable k3s binary not found',
    'unable to find suitable downloader',
    'needs to be executed as root',
    'Failed to find k3s-selinux',
    'Failed to find rke2-selinux',
  ],
  SAID_BY,
  /(?<supervisor>Can ?not find systemd or openrc to use as a process supervisor for k3s)|(?<hash>[Dd]ownload sha256 does not match[^\n]{0,200})|(?<selinux>Failed to (?:apply container_runtime_exec_t to|find (?:the )?(?:k3s|rke2)-selinux)[^\n]{0,160})|(?<url>Only https:\/\/ URLs are supported for K3S_URL[^\n]{0,100}|Defaulted k3s exec command to '?agent'? because K3S_URL is defined, but K3S_TOKEN[^\n]{0,120})|(?<tool>Can ?not find curl or wget for downloading files|[Uu]nable to find suitable downloader[^\n]{0,60}|Incorrect downloader executable[^\n]{0,60})|(?<binary>Executable k3s binary not found at [^\n]{2,160})|(?<root>(?:install(?:er|ation) )?needs to be executed as root[^\n]{0,60})/,
);
/** Short sentences that other scripts say as well. */
const vague = line(
  ['Download failed', 'Unsupported architecture', 'Must have write access to /'],
  SAID_BY,
  /^\s{0,8}(?:\[ERROR\] {1,3})?(?:(?<download>Download failed)\s*$|(?<arch>Unsupported architecture:? ?[\w-]{0,30})\s*$|(?<write>Must have write access to \/[^\s]{1,200})\s*$)/,
);
const installed = line(['systemd: Starting k3s', 'k3s is up and running'], [], /systemd: Starting k3s|k3s is up and running/);

/** A script is pasted without a pod around it; a program in a known pod may say the same of its own downloads. */
function isNameless({ about }: { readonly about: string }): boolean {
  return /^(?:Pod|Container)\/[^/]*\/\?(?:\/|$)|^Node\//.test(about);
}

export const cause = defineCause({
  id: 'k3s-installer-refuses',
  area: 'node',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['kubelet-down', 'node-not-ready', 'other-trouble'],

  text: {
    name: 'k3s or rke2 not installed',
    title: 'The install script of k3s or rke2 stops on {node}: {what}',
    why: 'The script of get.k3s.io or get.rke2.io looks at the machine, downloads the program and its checksum, and writes a unit for systemd or openrc. It stops at the first step that fails: {what}. Nothing runs on this machine yet. {hint}',
  },

  clues: {
    refuses: proves(refuses),
    vague: supports(vague, isNameless),
    installed: excludes(installed),
  },
  says: {
    refuses: 'the script says: {said}',
    vague: 'the script says: {short}',
    installed: 'the script came to its end',
  },
  slots: (place, { refuses: said, vague: brief }) => {
    const [kind, text] = firstOf({ ...brief?.fields, ...said?.fields });
    return {
      node: place.name,
      said: Object.values(said?.fields ?? {}).find((value) => value !== '') ?? '',
      short: Object.values(brief?.fields ?? {}).find((value) => value !== '') ?? '',
      what: `${WORDS[kind] ?? 'a step fails'}${text ? ` (${text.trim().slice(0, 160)})` : ''}`,
      hint: HINTS[kind] ?? '',
    };
  },

  fixes: [
    {
      say: 'Run the script step by step and see where it stops',
      risk: 'reads-only',
      steps: [
        {
          say: 'is the download reached from here, and what comes back',
          run: 'curl -sSIL https://github.com/k3s-io/k3s/releases/latest | grep -iE "^HTTP|^location"; curl -sfL https://update.k3s.io/v1-release/channels | head -c 300; uname -m; ps -p 1 -o comm=',
          on: 'node',
        },
      ],
    },
    {
      say: 'Download blocked or cut: use a mirror, a proxy, or bring the files by hand and skip the download',
      risk: 'touches-node',
      steps: [
        {
          say: 'through a proxy',
          run: 'export HTTPS_PROXY=http://PROXY:PORT; curl -sfL https://get.k3s.io | sh -',
          on: 'node',
        },
        {
          say: 'in mainland China the mirror of Rancher',
          run: 'curl -sfL https://rancher-mirror.rancher.cn/k3s/k3s-install.sh | INSTALL_K3S_MIRROR=cn sh -',
          on: 'node',
        },
        {
          say: 'without internet: the program k3s at /usr/local/bin/k3s, the images under /var/lib/rancher/k3s/agent/images/, then',
          run: 'chmod 755 /usr/local/bin/k3s && INSTALL_K3S_SKIP_DOWNLOAD=true ./install.sh',
          on: 'node',
        },
      ],
      verified: 'systemctl is-active k3s says active',
    },
    {
      say: 'SELinux: install the policy first, as the message says',
      risk: 'touches-node',
      steps: [
        {
          say: 'container-selinux from the distribution; run again, the script then adds k3s-selinux itself',
          run: 'yum install -y container-selinux selinux-policy-base && curl -sfL https://get.k3s.io | sh -',
          on: 'node',
        },
      ],
    },
    {
      say: 'No systemd (WSL, a container, Alpine without openrc): switch it on, or run k3s by hand or with k3d',
      risk: 'touches-node',
      steps: [
        {
          say: 'WSL: systemd on, then wsl --shutdown from Windows',
          run: 'printf "[boot]\\nsystemd=true\\n" >> /etc/wsl.conf',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['k3s-io/k3s install.sh', 'rancher/rke2 install.sh', 'docs.k3s.io: air-gap'],
});

const WORDS: Readonly<Record<string, string>> = {
  supervisor: 'this machine has neither systemd nor openrc',
  hash: 'what was downloaded is not what was released: cut off, or replaced by a proxy or firewall page',
  selinux: 'SELinux is on and the policy package for it is missing',
  url: 'K3S_URL or K3S_TOKEN is not given as it must be',
  tool: 'neither curl nor wget is installed',
  binary: 'the program k3s is not where it should be, or not executable',
  root: 'it must run as root',
  download: 'the download fails: GitHub or the channel server is not reached',
  arch: 'there is no build for this processor',
  write: 'it may not write there: not root, or a read-only system',
};
const HINTS: Readonly<Record<string, string>> = {
  supervisor: 'WSL without systemd, a container, or a minimal system.',
  hash: 'Proxies and firewalls often answer with a page of their own.',
  url: 'An agent needs both: K3S_URL=https://SERVER:6443 and K3S_TOKEN.',
  binary: 'With INSTALL_K3S_SKIP_DOWNLOAD the program must be there already, with mode 755.',
  download: 'Networks without internet or with a slow way to GitHub need a mirror, a proxy or the files brought by hand.',
  arch: 'k3s has builds for amd64, arm64 and arm; rke2 for amd64 and arm64.',
  write: 'Run it with sudo; on an immutable system set INSTALL_K3S_BIN_DIR.',
};

function firstOf(fields: Readonly<Record<string, string>>): readonly [kind: string, text: string] {
  const found = Object.entries(fields).find(([kind, text]) => kind in WORDS && text !== '');
  return found ?? ['', ''];
}
