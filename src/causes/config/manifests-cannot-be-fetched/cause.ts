import { defineCause, excludes, minutes, proves, supports } from '../../define-cause.ts';
import { argo, artifact, chart, flux, generate, git, kindOf, noArtifact, path, reference, repoServer, revision, since } from './lines.ts';

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
