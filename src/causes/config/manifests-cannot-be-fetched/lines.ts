import { line } from '../../define-cause.ts';

const SAID_BY = ['objects', 'container-log', 'object-events'] as const;

export const argo = line(
  [
    'failed to list refs',
    'error testing repository connectivity',
    'failed to get git client for repo',
    'error creating SSH agent',
    'error retrieving Git Directories',
    'error retrieving Git files',
  ],
  SAID_BY,
  /(?:failed to list refs|error testing repository connectivity|failed to get git client for repo[^\n:]{0,200}|error creating SSH agent|error retrieving Git (?:Directories|files)): (?:rpc error: code = \w{1,30} desc = )?(?<error>[^\n]{3,400})/,
);
/** Argo CD passes on what the git library or registry answered to its request for a manifest. */
export const generate = line(
  ['failed to generate manifest for source', 'Failed to load target state', 'ComparisonError'],
  SAID_BY,
  /(?:failed to generate manifest for source|Failed to load target state|ComparisonError)[^\n]{0,200}?(?:desc = |: )(?<error>(?:authentication required|authorization failed|repository not found|[Rr]epository not accessible|remote repository is empty|ssh: handshake failed|unable to resolve [^\n]{1,120}|dial tcp [^\n]{3,120})[^\n]{0,200})/,
);
export const git = line(
  ['failed exit status 128'],
  SAID_BY,
  /git (?:fetch|ls-remote|clone|submodule|checkout|lfs)[^\n]{0,300}? failed exit status 128: (?<error>[^\n]{3,300})/,
);
export const flux = line(
  ['failed to checkout and determine revision', 'auth secret error', 'failed to get authentication secret'],
  SAID_BY,
  /(?:failed to checkout and determine revision|auth secret error|failed to get authentication secret): (?:unable to (?:clone|list remote for) '(?<url>[^'\n]{3,300})': |failed to checkout and determine revision: )?(?<error>[^\n]{3,300})/,
);
export const artifact = line(
  [
    'chart pull error',
    'failed to fetch Helm repository index',
    'failed to determine artifact',
    'failed to pull artifact',
    'failed to fetch chart',
    'invalid chart reference: ',
  ],
  SAID_BY,
  /(?:chart pull error|failed to fetch Helm repository index|failed to determine artifact (?:digest|revision|layer digest)|failed to pull artifact[^\n:]{0,100}|failed to fetch chart|invalid chart reference): (?<error>[^\n]{3,400})/,
);
/** Flux waits for what its source controller should have fetched; the source itself says why it has not. */
export const noArtifact = line(
  ['artifact not found', 'Source is not ready', 'HelmChart ', "GitRepository '"],
  SAID_BY,
  /Source artifact not found, retrying|Source is not ready, artifact not found|(?:HelmChart|GitRepository|OCIRepository|HelmRepository|Bucket) '(?<object>[\w./-]{3,300})' is not ready/,
);
/** Argo CD leaves rendering to its repo server. */
export const repoServer = line(
  ['failed to generate manifest for source', 'Failed to load target state', 'failed to load target state', 'ComparisonError'],
  SAID_BY,
  /(?:failed to generate manifest for source|[Ff]ailed to load target state|ComparisonError)[^\n]{0,300}?code = (?<code>DeadlineExceeded|Unavailable|ResourceExhausted) desc = (?<error>[^\n]{3,200})/,
);
/** Helm, before it has asked any server. */
export const reference = line(
  [
    'Chart.yaml file is missing',
    'non-absolute URLs should be in form',
    'FAILED: repo ',
    'Error: repo ',
    'could not find tiller',
    'FAILED: failed to authorize',
    'FAILED: failed to do request',
    'failed to perform "FetchReference"',
    'FAILED: chart ',
  ],
  [...SAID_BY, 'prose'],
  /(?<empty>Chart\.yaml file is missing)|(?<form>non-absolute URLs should be in form of repo_name\/path_to_chart, got: \S{1,200})|(?:FAILED|Error): repo (?<unknown>[\w.-]{1,100}) not found|(?<tiller>could not find tiller)|(?:INSTALLATION|UPGRADE) FAILED: (?<error>failed to (?:authorize|do request|perform [\\"]{1,4}FetchReference)[^\n]{5,300})/,
);
export const chart = line(
  [
    'failed to download "',
    'failed to download \\"',
    'is not a valid chart repository',
    'no cached repo found',
    'no repository definition for',
    'failed to fetch http',
    ' not found in http',
  ],
  SAID_BY,
  /failed to download \\{0,3}"(?<chart>[\w./:@-]{1,300})\\{0,3}" (?:at version \\{0,3}"(?<version>[^\s"\\]{1,60})|\(hint: running `helm repo update`)|looks like \\{0,3}"(?<repo>[^\s"\\]{3,300})\\{0,3}" is not a valid chart repository or cannot be reached: (?<error>[^\n]{3,300})|(?<cache>no cached repo found)|no repository definition for (?<missing>[^\s,;]{3,300})|failed to fetch (?<url>https?:\/\/[^\s"\\]{3,300}?(?:\.tgz|index\.yaml)) ?: (?<status>\d{3} [\w ]{2,40})|chart [\\"]{1,4}(?<name>[\w./-]{1,200})[\\"]{1,4} (?:version |matching )?[\\"]{0,4}(?<range>[^\s"\\]{0,60})[\\"]{0,4} ?not found in (?<index>https?:\/\/[^\s"\\]{3,300})/,
);
export const revision = line(
  ["Unable to resolve '", "couldn't find remote ref", 'not found in upstream'],
  SAID_BY,
  /Unable to resolve '(?<revision>[^'\n]{1,200})' to a commit SHA|(?:unable to clone|unable to list remote|failed exit status 128)[^\n]{0,300}?(?:couldn't find remote ref [\\"]{0,4}(?<ref>[^\s"\\]{1,200})|Remote branch (?<branch>[^\s]{1,200}) not found in upstream)/,
);
export const path = line(
  ['app path does not exist', 'app path is absolute', 'kustomization path not found'],
  SAID_BY,
  /(?<path>[^\s:"]{1,300}): app path (?:does not exist|is absolute)|kustomization path not found: stat (?<stat>[^\s:"]{1,300})/,
);
export const since = line(
  ['Synced to ', 'STATUS: deployed', 'Happy Helming'],
  [],
  /^Sync Status:[ \t]{1,30}Synced to |^STATUS: deployed|has been upgraded\. Happy Helming/m,
);

interface Kind {
  readonly pattern: RegExp;
  readonly what: string;
  readonly hint: string;
}

/** What the many wordings of git, registries and libraries come down to; the first that fits. */
const KINDS: readonly Kind[] = [
  {
    pattern: /knownhosts|host key|key is unknown|key mismatch/i,
    what: 'the SSH host key of the server is not among the known hosts, or another than before',
    hint: 'The key of the server has to be registered: argocd cert add-ssh, or known_hosts in the Secret of the GitRepository. Git hosts change theirs now and then.',
  },
  {
    pattern:
      /SSH_AUTH_SOCK|[Ss]ecrets? [\\"']{0,4}[\w./-]{1,253}[\\"']{0,4}:? (?:secrets? [\\"']{0,4}[\w.-]{1,253}[\\"']{0,4} )?not found|failed to get secret/,
    what: 'the Secret with its credentials does not exist or holds no key',
    hint: 'An address of the form git@… or ssh://… needs an SSH key, https://… a user and token, in the Secret the source refers to.',
  },
  {
    pattern:
      /authentication required|authorization failed|could not read (?:Username|Password)|Permission denied \(|unable to authenticate|Invalid username|HTTP Basic: Access denied|\b40[13]\b|UNAUTHORIZED|DENIED|denied|[Rr]epository not found|not found in the organization/,
    what: 'the server refuses: credentials are missing, wrong or expired, or there is no such repository',
    hint: 'Git hosts answer "not found" to everybody who may not see a private repository, so a wrong address and a missing permission look alike.',
  },
  {
    pattern: /x509|certificate/,
    what: 'the certificate of the server is not trusted',
    hint: 'An own certificate authority has to be made known: argocd cert add-tls, or certSecretRef / caFile of the source.',
  },
  {
    pattern:
      /no such host|Could not resolve|server misbehaving|dial tcp|i\/o timeout|deadline exceeded|refused|no route|Client\.Timeout|proxyconnect/,
    what: 'the server is not reached from inside the cluster',
    hint: 'DNS of the cluster, a proxy or an egress rule stands between the controller and the server.',
  },
  {
    pattern: /\b404\b|not found|no [\\'"]{0,4}[\w.-]{1,200}[\\'"]{0,4} chart with version|MANIFEST_UNKNOWN|NAME_UNKNOWN/,
    what: 'there is no such chart, version or artifact there',
    hint: 'Charts move to other repositories and old versions are taken down; a range such as 2.x must have a match.',
  },
];

export function kindOf(error: string): Kind | undefined {
  return KINDS.find(({ pattern }) => pattern.test(error));
}
