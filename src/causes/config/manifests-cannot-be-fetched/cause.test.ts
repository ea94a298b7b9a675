import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const shown = (words: string) => ({
  evidence: {
    'status.txt': `NAME       REVISION   SUSPENDED   READY   MESSAGE\norchard               False       False   ${words}\n`,
  },
  confidence: 'certain' as const,
});
const helm = (words: string) => ({
  evidence: { 'terminal.txt': `$ helm install pears ./pears\nError: ${words}\n` },
  confidence: 'certain' as const,
});
const argo = (words: string) => ({
  evidence: {
    'app.txt': `Name:         pears\nNamespace:    argocd\nAPI Version:  argoproj.io/v1alpha1\nKind:         Application\nStatus:\n  Conditions:\n    Message:               ${words}\n    Type:                  ComparisonError\n`,
  },
  confidence: 'certain' as const,
});
const unresolved = "rpc error: code = Unknown desc = Unable to resolve 'release-7' to a commit SHA";

testCause(cause, {
  finds: {
    'a repository that Helm was not told of': helm('INSTALLATION FAILED: repo orchard not found'),
    'a folder that is no chart': helm('INSTALLATION FAILED: Chart.yaml file is missing'),
    'Flux, a version the repository does not have': {
      ...shown(
        "HelmChart 'orchard/orchard-pear' is not ready: invalid chart reference: failed to get chart version for remote reference: no 'pear' chart with version matching '9.x' found",
      ),
      confidence: 'possible',
    },
    'Flux without an artifact': { ...shown('Source is not ready, artifact not found'), confidence: 'possible' },
    'a repo server that is too slow': {
      ...argo(
        'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = DeadlineExceeded desc = context deadline exceeded',
      ),
      confidence: 'possible',
    },
    'Argo CD, turned away by a git host': argo(
      'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = authentication required: Repository not found.',
    ),
    'Argo CD without credentials': argo(
      'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = failed to list refs: authentication required',
    ),
    'Argo CD and an unknown host key': argo(
      'rpc error: code = Unknown desc = error testing repository connectivity: ssh: handshake failed: knownhosts: key is unknown',
    ),
    'git that is asked for a user': argo(
      "failed to initialize repository resources: rpc error: code = Internal desc = Failed to fetch default: `git fetch origin --tags --force --prune` failed exit status 128: fatal: could not read Username for 'https://git.example': terminal prompts disabled",
    ),
    'Flux and a key nobody knows': shown(
      "failed to checkout and determine revision: unable to clone 'ssh://git@git.example/orchard': ssh: handshake failed: ssh: unable to authenticate, attempted methods [none publickey], no supported methods remain",
    ),
    'Flux without its Secret': shown('auth secret error: failed to get secret \'orchard/deploy-key\': secrets "deploy-key" not found'),
    'a chart version that is gone': shown(
      "HelmChart 'orchard/pears' is not ready: chart pull error: failed to get chart version for remote reference: no 'pears' chart with version matching '2.x' found",
    ),
    'an artifact behind a login': shown(
      'failed to determine artifact digest: GET https://registry.example/v2/orchard/manifests/stable: UNAUTHORIZED: authentication required',
    ),
    'a chart Helm does not find': helm('INSTALLATION FAILED: failed to download "fruit/pears" at version "4.2.0"'),
    'an index that is gone': helm(
      'INSTALLATION FAILED: looks like "https://charts.example" is not a valid chart repository or cannot be reached: failed to fetch https://charts.example/index.yaml : 404 Not Found',
    ),
    'a dependency of unknown origin': helm(
      "no repository definition for https://charts.example/common. Please add the missing repos via 'helm repo add'",
    ),
    'no such branch': argo(unresolved),
    'no such branch, by Flux': shown(
      "failed to checkout and determine revision: unable to clone 'https://git.example/orchard': couldn't find remote ref \"refs/heads/main\"",
    ),
    'no such folder': argo('rpc error: code = Unknown desc = Manifest generation error (cached): deploy/pears: app path does not exist'),
    'no such folder, by Flux': shown(
      'kustomization path not found: stat /tmp/kustomization-2981/clusters/orchard: no such file or directory',
    ),
  },
  rulesOut: {
    'synced since': {
      evidence: {
        'terminal.txt': `$ argocd app get pears\nName:               argocd/pears\nSync Status:        Synced to release-7 (4f1a2bc)\n\nearlier: ${unresolved}\n`,
      },
      by: 'since',
    },
  },
  asks: {
    'what the controller says': {
      evidence: {
        'terminal.txt': `${unresolved}
`,
      },
      for: 'objects',
    },
  },
});
