import { defineCause, excludes, line, minutes, namesOf, supports } from '../../define-cause.ts';

const SAID_BY = ['objects', 'container-log', 'object-events', 'prose'] as const;

const helm = line(
  ['timed out waiting for the condition', 'context deadline exceeded', 'resource not ready, name'],
  SAID_BY,
  /(?:(?:INSTALLATION|UPGRADE|ROLLBACK) FAILED|(?:pre|post)-(?:install|upgrade|delete)|Helm (?:install|upgrade|rollback|test) failed)[^\n]{0,300}?\s{0,6}(?:\* )?(?:timed out waiting for the condition|context deadline exceeded|resource not ready, name: (?<name>[\w.-]{1,253}), kind: (?<kind>\w{2,60}))/,
);
const health = line(
  ['timeout waiting for: [', 'health check failed after', 'health check timed out'],
  SAID_BY,
  /(?:timeout waiting for|failed early due to stalled resources|health check timed out for): \[(?<objects>[^\]\n]{3,400})\]|health check failed after (?<after>[\w.]{2,20})/,
);
const retries = line(
  ['retries exhausted'],
  SAID_BY,
  /(?<action>install|upgrade) retries exhausted|exhausted retries|Failed to (?<verb>install|upgrade) after \d{1,4} attempt/,
);
const dependency = line(["dependency '"], SAID_BY, /dependency '(?<dependency>[\w./-]{3,300})' is not ready/);
const since = line(
  ['STATUS: deployed', 'Happy Helming', 'Health check passed'],
  [],
  /^STATUS: deployed|has been upgraded\. Happy Helming|Health check passed in/m,
);

export const cause = defineCause({
  id: 'release-not-ready-in-time',
  area: 'config',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['other-trouble', 'failed'],
  // Helm and Flux only wait for pods; whatever keeps those from being ready is the cause.
  effectOf: [
    'admission-webhook-denied',
    'admission-webhook-unavailable',
    'app-config-file-invalid',
    'app-credentials-rejected',
    'app-dependency-unreachable',
    'app-exits-nonzero-at-start',
    'app-filesystem-permission',
    'app-setting-missing',
    'configmap-missing',
    'image-not-found',
    'image-pull-rate-limited',
    'image-pull-unauthorized',
    'image-registry-unreachable',
    'init-container-failing',
    'job-backoff-limit-reached',
    'liveness-probe-kills-slow-app',
    'oom-container-limit',
    'probe-wrong-port-or-path',
    'psa-violation',
    'pvc-no-storageclass-or-default',
    'pvc-provisioner-not-running',
    'quota-exceeded',
    'readiness-never-true',
    'rollout-progress-deadline-exceeded',
    'scc-or-psp-denied',
    'sched-insufficient-resources',
    'sched-pvc-unbound',
    'sched-selector-or-affinity-mismatch',
    'sched-untolerated-taint',
    'secret-missing',
    'service-account-missing',
    'startup-probe-exhausted',
  ],

  restates: true,
  text: {
    name: 'Release not ready in time',
    title: '{who} stopped waiting: {what} did not become ready in time',
    why: 'The objects were sent to the cluster, and {who} then waits until they are ready ({limit}). {what} did not get there, so the release counts as failed; that is no fault of the chart tool. Why it is not ready (image, crash, probe, no room, no volume) is told by its pods and their events.',
  },

  clues: {
    helm: supports(helm),
    health: supports(health),
    retries: supports(retries),
    dependency: supports(dependency),
    since: excludes(since),
  },
  says: {
    helm: 'Helm waited until its time was up',
    health: 'the health check of Flux ran out of time: {what}',
    retries: 'every try of the release failed',
    dependency: 'something it depends on is not ready itself: {what}',
    since: 'it became ready since',
  },
  slots: (place, { helm: waited, health: checked, retries: tried, dependency: other }) => {
    const objects = checked?.fields['objects']?.replaceAll('\\', '').slice(0, 160);
    const one = waited?.fields['kind'] ? `${waited.fields['kind']} ${waited.fields['name']}` : undefined;
    return {
      ...namesOf(place),
      who: (checked || tried || other) && !waited ? 'Flux' : 'Helm',
      what: objects ?? one ?? other?.fields['dependency'] ?? 'something of the release',
      limit:
        checked || other ? 'spec.timeout of the Kustomization' : '--wait, --timeout, 5 minutes by default; hooks are always waited for',
    };
  },

  fixes: [
    {
      say: 'See what is not ready, and why: that is the fault to mend',
      risk: 'reads-only',
      steps: [
        { say: 'pods that do not run or are not ready', run: 'kubectl -n {{namespace}} get pods,jobs,pvc -o wide', on: 'cluster' },
        {
          say: 'what the cluster says about them',
          run: 'kubectl -n {{namespace}} get events --sort-by=.lastTimestamp | tail -40',
          on: 'cluster',
        },
        { say: 'then paste both, with the logs of the pod, into podcause', run: 'kubectl -n {{namespace}} describe pods', on: 'cluster' },
      ],
    },
    {
      say: 'If it is only slow (large images, migrations): give it more time',
      risk: 'restarts-pods',
      steps: [
        { say: 'Helm', run: 'helm upgrade --install RELEASE CHART -n {{namespace}} --wait --timeout 15m', on: 'cluster' },
        {
          say: 'Flux, after the fault is mended: try again',
          run: 'flux reconcile helmrelease RELEASE -n {{namespace}} --force --reset',
          on: 'cluster',
        },
      ],
      verified: 'helm list shows deployed, the HelmRelease or Kustomization is Ready',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'helm pkg/kube/wait.go, pkg/action/hooks.go',
    'helm-controller internal/reconcile; kustomize-controller internal/controller (health checks, dependencies)',
  ],
});
