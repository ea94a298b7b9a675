import { defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['objects', 'container-log', 'object-events'] as const;
const owned = line(
  ['exists and cannot be imported into the current release', 'invalid ownership metadata'],
  CHANNELS,
  /(?<kind>[A-Z]\w{2,60}) [\\"]{1,4}(?<name>[\w.:-]{1,253})[\\"]{1,4}(?: in namespace [\\"]{1,4}(?<space>[\w-]{0,63})[\\"]{1,4})? exists and cannot be imported into the current release/,
);
const hook = line(
  ['failed pre-install', 'failed post-install', 'pre-upgrade hooks failed', 'post-upgrade hooks failed', 'Hook pre-', 'Hook post-'],
  CHANNELS,
  /(?:Hook (?:pre|post)-\w{4,10} \S{1,300} failed|(?:pre|post)-\w{4,10} hooks failed|failed (?:pre|post)-install)[^\n]{0,200}?(?<resource>[a-z][\w.]{2,100}) [\\"]{1,4}(?<name>[\w.:-]{1,253})[\\"]{1,4} already exists/,
);
const busy = line(
  ['another operation (install/upgrade/rollback) is in progress'],
  CHANNELS,
  /(?<busy>another operation \(install\/upgrade\/rollback\) is in progress)/,
);
/** A row of helm list -a, or the status of one release. */
const pending = line(
  ['pending-upgrade', 'pending-install', 'pending-rollback'],
  [...CHANNELS, 'prose'],
  /(?:\d\d \+\d{4} \S{2,5}\s{1,40}|STATUS: |status[=:\\" ]{1,6})(?<pending>pending-(?:upgrade|install|rollback))/,
);
const reused = line(
  ['cannot re-use a name that is still in use', 'has no deployed releases'],
  CHANNELS,
  /(?<reused>cannot re-use a name that is still in use)|[\\"]{1,4}(?<release>[\w.-]{1,63})[\\"]{1,4} has no deployed releases/,
);
const wants = line(
  'chart requires kubeVersion',
  CHANNELS,
  /chart requires kubeVersion: (?<wanted>[^\n]{1,80}?) which is incompatible with Kubernetes (?<has>v?[\w.+-]{3,40})/,
);
const deployed = line(['STATUS: deployed', 'has been upgraded. Happy Helming'], [], /^STATUS: deployed|has been upgraded\. Happy Helming/m);

export const cause = defineCause({
  id: 'helm-release-conflict',
  area: 'config',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['other-trouble', 'failed'],

  text: {
    name: 'Helm meets what is there already',
    title: 'Helm changes nothing: {what}',
    why: 'Helm installs only what is not there yet or belongs to the same release, and one operation at a time; it keeps the record in Secrets (sh.helm.release.v1.…). Here {what}. {reason} So nothing of the new version was applied, and pods stay as they were or do not exist.',
  },

  clues: {
    owned: proves(owned),
    hook: proves(hook),
    busy: proves(busy),
    reused: proves(reused),
    pending: supports(pending),
    wants: proves(wants),
    deployed: excludes(deployed),
  },
  says: {
    owned: '{object} exists and belongs to no or another release',
    hook: '{object} of an earlier hook is still there',
    busy: 'the last operation of this release never ended, in the eyes of Helm',
    pending: 'the release is listed as {state}',
    reused: 'the name of the release is taken, or its first installation failed',
    wants: 'the chart is for Kubernetes {wanted}, the cluster is {has}',
    deployed: 'the release was deployed since',
  },
  slots: (place, { owned: foreign, hook: left, busy: operation, pending: row, reused: name, wants: version }) => {
    const object = foreign
      ? `${foreign.fields['kind']} ${foreign.fields['name']}`
      : left
        ? `${left.fields['resource']} ${left.fields['name']}`
        : 'the object';
    const release = name?.fields['release'];
    const running = operation ?? (name ? undefined : row);
    return {
      ...namesOf(place),
      object,
      release: release ?? 'RELEASE',
      state: row?.fields['pending'] ?? 'pending',
      wanted: version?.fields['wanted'] ?? 'another version',
      has: version?.fields['has'] ?? 'not that',
      what: version
        ? `the chart is for Kubernetes ${version.fields['wanted']}, and the cluster is ${version.fields['has']}`
        : foreign
          ? `${object} exists already and does not belong to this release`
          : left
            ? `${object} of an earlier run of its hook is still there`
            : running
              ? 'another operation of this release is in progress, or was cut off and left so'
              : release
                ? `release ${release} was never deployed: its first installation failed`
                : 'a release of this name exists already',
      reason: version
        ? 'A chart may name the versions it works with (kubeVersion in Chart.yaml): take a version of the chart for this cluster, or upgrade the cluster first. Clouds add a suffix to their version (-gke.100, -eks-1a2b), which counts as a pre-release unless the range ends in -0.'
        : foreign
          ? 'It was made by hand, by another release or by one in another namespace: the label app.kubernetes.io/managed-by and the annotations meta.helm.sh/release-name and release-namespace do not name this one.'
          : left
            ? 'A hook is made anew at every run, and Helm deletes the one before only where helm.sh/hook-delete-policy says so (before-hook-creation).'
            : running
              ? 'A helm that was killed (a pipeline that timed out, a lost connection) leaves the release in pending-install, pending-upgrade or pending-rollback, which blocks every further one.'
              : 'A failed or uninstalled release keeps its record until it is removed.',
    };
  },

  fixes: [
    {
      say: 'See the releases, also those that failed or hang',
      risk: 'reads-only',
      steps: [
        { say: 'every release and its state', run: 'helm list -A -a', on: 'cluster' },
        { say: 'its history', run: 'helm history {{release}} -n {{namespace}}', on: 'cluster' },
      ],
    },
    {
      say: 'A chart for other versions of Kubernetes: take one for this cluster, or widen its range',
      risk: 'restarts-pods',
      for: ['wants'],
      steps: [
        { say: 'older and newer versions of the chart', run: 'helm search repo CHART --versions | head -20', on: 'cluster' },
        {
          say: 'where only the suffix of the version stands in the way, the range in Chart.yaml needs -0 at its end (>=1.25.0-0); helm template and kustomize guess a version unless told',
          run: 'helm pull CHART --untar && grep -n kubeVersion CHART/Chart.yaml; helm template RELEASE ./CHART --kube-version VERSION',
          on: 'cluster',
        },
      ],
      verified: 'helm list shows deployed',
    },
    {
      say: 'A release that hangs in pending: go back to the last revision that was deployed',
      risk: 'restarts-pods',
      for: ['busy', 'pending'],
      steps: [{ say: 'with the number of that revision', run: 'helm rollback {{release}} REVISION -n {{namespace}}', on: 'cluster' }],
      verified: 'helm list shows deployed',
    },
    {
      say: 'An object that is in the way: hand it over to the release (label and annotations), or delete it if nothing else needs it; a Job of a hook can be deleted',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'whose it is: {object}',
          run: 'kubectl -n {{namespace}} get KIND NAME -o yaml | grep -nE "managed-by|meta.helm.sh|hook"',
          on: 'cluster',
        },
        {
          say: 'for hooks, once and for all, in the chart',
          run: 'kubectl -n {{namespace}} annotate --dry-run=client -o yaml job NAME helm.sh/hook-delete-policy=before-hook-creation',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['helm pkg/action/validate.go (checkOwnership), pkg/action/install.go, pkg/action/upgrade.go, pkg/action/hooks.go'],
});
