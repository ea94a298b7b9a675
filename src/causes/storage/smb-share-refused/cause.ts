import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const SHARE = /(?<share>\/\/[\w.-]{1,200}\/[^\s"\\]{1,200})/;
const refused = line(
  ['mount error(', 'mount error: could not resolve address'],
  ['pod-events', 'kubelet-log', 'container-log'],
  withContext(
    /mount error\((?<code>1|2|5|6|11|13|16|22|95|101|104|110|111|112|113|115|121|126)\): (?<text>[A-Z][\w ,/'-]{2,60}?)(?= Refer|[\n.;"\\]|$)|mount error: could not resolve address for (?<host>[\w.-]{1,200})/,
    { may: [NAMED_VOLUME, SHARE] },
  ),
);
const kernelSays = line(
  [
    'STATUS_LOGON_FAILURE',
    'Send error in SessSetup',
    'cifs_mount failed w/return code',
    'STATUS_ACCESS_DENIED',
    'STATUS_BAD_NETWORK_NAME',
    'STATUS_ACCOUNT_LOCKED_OUT',
  ],
  'kernel-log',
  /(?<status>STATUS_[A-Z_]{4,40})|Send error in SessSetup = (?<sess>-\d{1,3})|cifs_mount failed w\/return code = (?<rc>-\d{1,3})/,
);
const noKernel = line(['cifs filesystem not supported by the system', 'mount error(19)'], []);

export const cause = defineCause({
  id: 'smb-share-refused',
  area: 'storage',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'other-trouble'],

  text: {
    name: 'SMB share refused',
    title: 'The SMB share {share} cannot be mounted: error {code}, {text}',
    why: 'mount.cifs of the node asked the SMB server for {share} and failed with error {code} ({text}). {meaning} Every pod that mounts it waits in ContainerCreating.',
  },

  clues: {
    refused: proves(refused),
    kernelSays: supports(kernelSays),
    noKernel: excludes(noKernel),
  },
  says: {
    refused: 'mount.cifs says: error {code}, {text}',
    kernelSays: 'the kernel client says: {status}',
    noKernel: 'the node itself cannot do SMB: cifs is missing in the kernel',
  },
  slots: (place, { refused: said, kernelSays: kernel }) => {
    const code = said?.fields['host'] ? 'name' : said?.fields['code'];
    return {
      namespace: namesOf(place).namespace,
      share: said?.fields['share'] ?? said?.fields['host'] ?? 'of the volume',
      server: (said?.fields['share']?.split('/')[2] ?? said?.fields['host']) || 'SERVER',
      code: code ?? kernel?.fields['sess'] ?? kernel?.fields['rc'] ?? '?',
      text: said?.fields['host']
        ? 'the name of the server cannot be resolved'
        : (said?.fields['text']?.trim() ?? kernel?.fields['status'] ?? 'login failed'),
      status: kernel?.fields['status'] ?? `return code ${kernel?.fields['sess'] ?? kernel?.fields['rc'] ?? '?'}`,
      meaning:
        (code === '2' && /\.core\.(?:windows\.net|usgovcloudapi\.net|chinacloudapi\.cn)\//.test(said?.fields['share'] ?? '')
          ? AZURE
          : MEANING[code ?? '']) ?? 'The kernel log has the status the server returned.',
    };
  },

  fixes: [
    {
      say: 'Test the share from the node',
      risk: 'reads-only',
      steps: [
        { say: 'name and port 445', run: 'getent hosts {{server}}; nc -vz -w 3 {{server}} 445', on: 'node' },
        { say: 'what the server answered', run: 'dmesg -T | grep -i cifs | tail', on: 'node' },
        {
          say: 'share, options and Secret of the volume',
          run: 'kubectl get pv -o yaml | grep -n -iE "source:|shareName|secret|mountOptions" -A3',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Error 13: correct the Secret with user and password (Azure Files: storage account name and current key), and the rights on the share',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a rotated key must be renewed here as well',
          run: 'kubectl -n {{namespace}} create secret generic SMB-SECRET --from-literal=username=USER --from-literal=password=PASSWORD --dry-run=client -o yaml | kubectl apply -f -',
          on: 'cluster',
        },
      ],
      verified: 'the kubelet mounts it at its next try',
    },
    {
      say: 'Errors 110, 111, 113, 115: open TCP port 445 between nodes and server (firewalls, network rules of the storage account); error 2: correct the name of the share (Azure Files: also let the subnet of the nodes into the storage account); errors 22, 95, 112: set vers=3.0 and sec in mountOptions',
      risk: 'reads-only',
      steps: [
        { say: 'from inside the cluster network some providers block 445 altogether', run: 'nc -vz -w 3 {{server}} 445', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['cifs-utils mount.cifs.c', 'kubernetes-csi/csi-driver-smb docs', 'kubernetes-sigs/azurefile-csi-driver docs/csi-debug.md'],
});

const LOGIN =
  'The server does not accept the credentials (wrong or rotated key, user, domain, or the share is not open to this user or network).';
const WAY = 'The server is not reached: TCP port 445 is blocked, or the server is down.';
const AZURE =
  'Azure Files says so when there is no such share, and as often when the network of the node is not let in: the firewall of the storage account lacks the subnet of the nodes (service endpoint) or a private endpoint, or TCP port 445 is blocked.';
const DIALECT = 'Client and server do not agree: SMB version (vers), security (sec) or another mount option.';
const MEANING: Readonly<Record<string, string>> = {
  '1': LOGIN,
  '2': 'There is no such share or directory on the server.',
  '5': 'The server answered with an error of its own.',
  '6': 'There is no such share on the server.',
  '13': LOGIN,
  '22': DIALECT,
  '95': DIALECT,
  '101': WAY,
  '110': WAY,
  '111': WAY,
  '112': 'The host is down, or it does not speak the SMB version that was asked for.',
  '113': WAY,
  '115': WAY,
  '121': LOGIN,
  '126': 'No key for Kerberos: the credentials are missing on the node.',
  name: 'The node cannot resolve the name of the server.',
};
