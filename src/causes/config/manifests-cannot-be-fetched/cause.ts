import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['objects', 'container-log', 'object-events'] as const;

const argo = line(
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
const generate = line(
  ['failed to generate manifest for source', 'Failed to load target state', 'ComparisonError'],
  SAID_BY,
  /(?:failed to generate manifest for source|Failed to load target state|ComparisonError)[^\n]{0,200}?(?:desc = |: )(?<error>(?:authentication required|authorization failed|repository not found|[Rr]epository not accessible|remote repository is empty|ssh: handshake failed|unable to resolve [^\n]{1,120}|dial tcp [^\n]{3,120})[^\n]{0,200})/,
);
const git = line(
  ['failed exit status 128'],
  SAID_BY,
  /git (?:fetch|ls-remote|clone|submodule|checkout|lfs)[^\n]{0,300}? failed exit status 128: (?<error>[^\n]{3,300})/,
);
const flux = line(
  ['failed to checkout and determine revision', 'auth secret error', 'failed to get authentication secret'],
  SAID_BY,
  /(?:failed to checkout and determine revision|auth secret error|failed to get authentication secret): (?:unable to (?:clone|list remote for) '(?<url>[^'\n]{3,300})': |failed to checkout and determine revision: )?(?<error>[^\n]{3,300})/,
);
const artifact = line(
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
const noArtifact = line(
  ['artifact not found', 'Source is not ready', 'HelmChart ', "GitRepository '"],
  SAID_BY,
  /Source artifact not found, retrying|Source is not ready, artifact not found|(?:HelmChart|GitRepository|OCIRepository|HelmRepository|Bucket) '(?<object>[\w./-]{3,300})' is not ready/,
);
/** Argo CD leaves rendering to its repo server. */
const repoServer = line(
  ['failed to generate manifest for source', 'Failed to load target state', 'failed to load target state', 'ComparisonError'],
  SAID_BY,
  /(?:failed to generate manifest for source|[Ff]ailed to load target state|ComparisonError)[^\n]{0,300}?code = (?<code>DeadlineExceeded|Unavailable|ResourceExhausted) desc = (?<error>[^\n]{3,200})/,
);
/** Helm, before it has asked any server. */
const reference = line(
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
const chart = line(
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
const revision = line(
  ["Unable to resolve '", "couldn't find remote ref", 'not found in upstream'],
  SAID_BY,
  /Unable to resolve '(?<revision>[^'\n]{1,200})' to a commit SHA|(?:unable to clone|unable to list remote|failed exit status 128)[^\n]{0,300}?(?:couldn't find remote ref [\\"]{0,4}(?<ref>[^\s"\\]{1,200})|Remote branch (?<branch>[^\s]{1,200}) not found in upstream)/,
);
const path = line(
  ['app path does not exist', 'app path is absolute', 'kustomization path not found'],
  SAID_BY,
  /(?<path>[^\s:"]{1,300}): app path (?:does not exist|is absolute)|kustomization path not found: stat (?<stat>[^\s:"]{1,300})/,
);
const since = line(
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

function kindOf(error: string): Kind | undefined {
  return KINDS.find(({ pattern }) => pattern.test(error));
}

export const cause = defineCause({
  id: 'manifests-cannot-be-fetched',
  area: 'config',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'failed', 'no-pods'],

  text: {
    name: 'Manifests cannot be fetched',
    title: 'The manifests cannot be fetched from {source}: {what}',
    why: 'Argo CD, Flux and Helm apply nothing before they have fetched the manifests or the chart. Here {what} ({error}). The cluster stays as it was: changes in the repository do not arrive, and a new application gets no pods. {hint}',
  },

  clues: {
    argo: proves(argo),
    generate: proves(generate),
    git: proves(git),
    flux: proves(flux),
    artifact: proves(artifact),
    chart: proves(chart),
    revision: proves(revision),
    path: proves(path),
    reference: proves(reference),
    noArtifact: supports(noArtifact),
    repoServer: supports(repoServer),
    since: excludes(since),
  },
  says: {
    argo: 'Argo CD does not get at the repository: {error}',
    generate: 'Argo CD is turned away where the manifests are: {error}',
    git: 'git ends with an error: {error}',
    flux: 'Flux does not get at the repository: {error}',
    artifact: 'the chart or artifact cannot be pulled: {error}',
    chart: 'Helm does not get the chart: {error}',
    revision: 'the branch, tag or commit {revision} is not in the repository',
    path: 'the path {path} is not in the repository',
    reference: 'Helm cannot use the name of the chart: {error}',
    noArtifact: 'Flux has no artifact of the source: {error}',
    repoServer: 'the repo server of Argo CD does not answer: {error}',
    since: 'it was fetched and applied since',
  },
  slots: (
    _place,
    {
      argo: argocd,
      generate: refusal,
      git: command,
      flux: source,
      artifact: pulled,
      chart: helm,
      revision: ref,
      path: folder,
      reference: named,
      noArtifact: waiting,
      repoServer: server,
    },
  ) => {
    const chartName = helm?.fields['chart'] ?? helm?.fields['name'];
    const address =
      source?.fields['url'] ?? helm?.fields['repo'] ?? helm?.fields['missing'] ?? helm?.fields['url'] ?? helm?.fields['index'];
    const version = helm?.fields['version'] ?? helm?.fields['range'];
    const revisionName = ref?.fields['revision'] ?? ref?.fields['ref'] ?? ref?.fields['branch'];
    const pathName = folder?.fields['path'] ?? folder?.fields['stat']?.replace(/^\/tmp\/kustomization-\d{1,20}\/?/, '');
    const said = [source, argocd, refusal, command, pulled, helm, named, server]
      .map((fact) => fact?.fields['error'] ?? fact?.fields['status'])
      .find((error) => error !== undefined)
      ?.replaceAll('\\', '')
      .trim()
      .slice(0, 200);
    const kind = kindOf(said ?? '');
    const { what, hint } = revisionName
      ? {
          what: `it has no branch, tag or commit ${revisionName}`,
          hint: 'Branches get other names (master, main) and tags are moved or deleted; the revision of the application or source has to name one that exists.',
        }
      : pathName
        ? {
            what: `it has no path ${pathName}`,
            hint: 'The path is relative to the root of the repository, with / and without one at the beginning, in the revision that is asked for.',
          }
        : named && said === undefined
          ? named.fields['unknown']
            ? {
                what: `the chart repository ${named.fields['unknown']} is not known to Helm here`,
                hint: 'Add it by the same name (helm repo add NAME URL, helm repo update), also in the job or container that runs Helm.',
              }
            : named.fields['tiller']
              ? { what: 'this is Helm 2, and its server Tiller is not in the cluster', hint: 'Use Helm 3, which needs no server.' }
              : {
                  what: named.fields['empty']
                    ? 'the folder or archive is no chart: it has no Chart.yaml'
                    : 'the name is neither a folder nor REPO/CHART',
                  hint: 'Helm takes a folder with Chart.yaml, an archive, REPO/CHART of a repository that was added, or oci://…; a path is relative to where Helm runs.',
                }
          : server
            ? {
                what: 'the repo server of Argo CD does not answer in time or is down',
                hint: 'Look at argocd-repo-server: restarts (memory), a slow Git host, large charts; raise its resources, replicas and the timeout (controller.repo.server.timeout.seconds).',
              }
            : waiting && said === undefined
              ? {
                  what: `Flux has not fetched its source${waiting.fields['object'] ? ` ${waiting.fields['object']}` : ''} (no artifact)`,
                  hint: 'The source itself (GitRepository, HelmRepository, HelmChart, OCIRepository) says why: flux get sources all -A. After a restart of source-controller without a volume it is fetched again within minutes.',
                }
              : helm?.fields['missing']
                ? {
                    what: 'a chart it depends on is in a chart repository that is not known here',
                    hint: 'Every repository that Chart.yaml names under dependencies has to be added (helm repo add, argocd repo add --type helm).',
                  }
                : helm?.fields['cache'] || (helm && said === undefined)
                  ? {
                      what: `there is no chart ${chartName ?? 'of that name'}${version ? ` in version ${version}` : ''} in the index that Helm keeps`,
                      hint: 'The index is as old as the last helm repo update, and the repository may have dropped the version.',
                    }
                  : (kind ?? { what: 'the server does not give them', hint: 'The error at the end of the message tells more.' });
    return {
      source: address ?? (chartName ? `the repository of chart ${chartName}` : 'their repository'),
      address: address && /^[\w:/.@~%+-]{3,300}$/.test(address) ? address : 'URL',
      what,
      hint,
      error: said ?? what,
      revision: revisionName ?? 'REVISION',
      path: pathName ?? 'PATH',
      chartName: chartName && /^[\w./-]{1,200}$/.test(chartName) ? chartName : 'CHART',
    };
  },

  fixes: [
    {
      say: 'See which source fails, and try it by hand',
      risk: 'reads-only',
      steps: [
        {
          say: 'sources and applications, with their message',
          run: 'kubectl get gitrepositories,ocirepositories,helmrepositories,helmcharts -A 2>/dev/null; kubectl get applications.argoproj.io -A 2>/dev/null',
          on: 'cluster',
        },
        { say: 'whether the address and the revision exist', run: 'git ls-remote {{address}}', on: 'cluster' },
        { say: 'versions of a chart', run: 'helm repo update && helm search repo {{chartName}} --versions | head', on: 'cluster' },
      ],
    },
    {
      say: 'Correct address, revision, path or version in the application or source',
      risk: 'restarts-pods',
      for: ['revision', 'path', 'reference'],
      steps: [
        {
          say: 'Argo CD: spec.source.repoURL, targetRevision, path; Flux: spec.url, spec.ref, spec.path',
          run: 'kubectl -n argocd edit applications.argoproj.io NAME',
          on: 'cluster',
        },
      ],
      verified: 'the source is Ready, the application is no longer Unknown',
    },
    {
      say: 'Give new credentials, host key or certificate',
      risk: 'restarts-pods',
      steps: [
        { say: 'Argo CD', run: 'argocd repo add {{address}} --upsert --username USER --password TOKEN', on: 'cluster' },
        {
          say: 'Argo CD, host key of an SSH server',
          run: 'ssh-keyscan HOST | argocd cert add-ssh --batch',
          on: 'cluster',
        },
        { say: 'Flux', run: 'flux create secret git NAME --url={{address}} --username=USER --password=TOKEN', on: 'cluster' },
      ],
      verified: 'the source is Ready, the application is no longer Unknown',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'argo-cd util/git/client.go, reposerver/repository/repository.go, util/app/path/path.go',
    'source-controller internal/controller/gitrepository_controller.go, helmchart_controller.go, ocirepository_controller.go',
    'helm pkg/downloader/chart_downloader.go, pkg/repo/chartrepo.go',
  ],
});
