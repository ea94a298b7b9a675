import { defineCause, excludes, line, minutes, namesOf, on, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['object-events', 'objects', 'control-plane-log'] as const;
const noRequest = line(
  ['missing request for '],
  SAID_BY,
  /missing request for (?<resource>[\w./-]{2,60})(?: in container (?<container>[\w.-]{1,63}) of Pod (?<pod>[\w.-]{1,253}))?/,
);
const noTarget = line(
  ["unable to get the target's current scale"],
  SAID_BY,
  /unable to get the target's current scale: (?<why>[^\n]{3,200})/,
);
const ambiguous = line(
  ['are controlled by multiple HPAs'],
  SAID_BY,
  /pods by selector (?<selector>[^\n]{1,160}?) are controlled by multiple HPAs: (?<which>[^\n]{1,200})/,
);
const noSelector = line(["the HPA target's scale is missing a selector"], SAID_BY);
const noPods = line(
  ['did not receive metrics for', 'no metrics returned from', 'no recommendation'],
  SAID_BY,
  /did not receive metrics for (?:any|targeted)(?: ready)? pods|no metrics returned from (?:resource|custom|external) metrics API/,
);
/** Metrics of other sources need an adapter (KEDA, prometheus-adapter, one of the cloud) that serves them. */
const notServed = line(
  ['external metrics API: ', 'custom metrics API: ', 'metrics API ('],
  SAID_BY,
  /no (?<absent>external|custom) metrics API \([\w.]{5,60}\) registered|(?<kind>external|custom) metrics API: (?:no matching metrics found(?: for (?<metric>[^\s"]{1,200}))?|the server could not find the (?<none>requested resource)|the server could not find the (?:metric|descriptor for metric) (?<unknown>[^\s"]{1,200}))/,
);
/** The event of the same, as it is told beside its condition. */
function isWithoutTarget({ reason }: { readonly reason: string }): boolean {
  return reason === 'FailedGetScale';
}
/** A row of `kubectl get hpa`: the target has no current value. */
const unknownTarget = line(
  ['<unknown>/', '<unknown> /'],
  ['objects', 'prose'],
  /<unknown> ?\/ ?(?<target>\d{1,12}(?:%|m|[KMG]i?)?)(?=[\s,]|$)/,
);
/** The same in a log or a pasted row. */
const kedaSays = line(
  ['KEDAScalerFailed', 'ScaledObjectCheckFailed', 'error getting scaler for trigger', 'error parsing ', 'error resolving auth params'],
  ['object-events', 'container-log', 'prose'],
  /(?:KEDAScalerFailed|ScaledObjectCheckFailed)\s{1,40}(?:\S{1,20}\s{1,20}){0,3}?(?<source>[A-Za-z][^\n]{8,300})|error getting scaler for trigger #\d{1,3}: (?<trigger>[^\n"]{5,300})|(?<parse>error parsing [\w-]{2,40} metadata: [^\n"]{3,200})/,
);
/** KEDA asks its source itself, and says in an event of the ScaledObject what is wrong. */
function isOfKeda({ reason }: { readonly reason: string }): boolean {
  return /^(?:KEDAScalerFailed|ScaledObjectCheckFailed|ScaledJobCheckFailed|KEDAMetricSourceFailed)$/.test(reason);
}
const apiDown = line(
  ['the server is currently unable to handle the request', 'the server could not find the requested resource (get'],
  [],
  /unable to (?:fetch|get) metrics[^\n]{0,300}?the server (?:is currently unable to handle|could not find the requested resource \(get (?:pods|nodes)\.metrics)/,
);
const scales = line(['the HPA was able to successfully calculate a replica count'], [], /ScalingActive\s+True\s+ValidMetricFound/);

export const cause = defineCause({
  id: 'autoscaler-lacks-metrics',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['not-ready', 'other-trouble'],
  wakesOn: [
    on('object.status', { status: 'False' }),
    on('object.event', { reason: 'FailedGetScale' }),
    on('pod.event', { reason: 'FailedGetScale' }),
    on('object.event', { reason: 'KEDAScalerFailed' }),
    on('object.event', { reason: 'ScaledObjectCheckFailed' }),
    on('pod.event', { reason: 'KEDAScalerFailed' }),
    on('pod.event', { reason: 'ScaledObjectCheckFailed' }),
  ],

  text: {
    name: 'HPA cannot compute replicas',
    title: 'The HorizontalPodAutoscaler of {name} cannot compute a number of replicas: {what}',
    why: 'A HorizontalPodAutoscaler compares what the pods use with a target. {mechanism} It shows <unknown> and leaves the number of replicas as it is.',
  },

  clues: {
    noRequest: proves(noRequest),
    noTarget: proves(noTarget),
    ambiguous: proves(ambiguous),
    noScale: supports('object.event', isWithoutTarget),
    noScaleOfPod: supports('pod.event', isWithoutTarget),
    noSelector: proves(noSelector),
    notServed: proves(notServed),
    keda: proves('object.event', isOfKeda),
    kedaOfPod: proves('pod.event', isOfKeda),
    noPods: supports(noPods),
    kedaSays: supports(kedaSays),
    scaledObject: supports('object.status', ({ about, status }) => about.startsWith('Object/ScaledObject/') && status === 'False'),
    unknownTarget: supports(unknownTarget),
    apiDown: excludes(apiDown),
    scales: excludes(scales),
  },
  says: {
    noRequest: 'a container has no request for {resource}, so there is no percentage of it',
    noTarget: 'what it should scale cannot be read: {why}',
    ambiguous: 'several autoscalers select the same pods: {which}',
    noScale: 'what it should scale cannot be read: {why}',
    noScaleOfPod: 'what it should scale cannot be read: {why}',
    noSelector: 'its target has no selector, so its pods cannot be found',
    notServed: 'the {kind} metrics API does not have the metric it asks for',
    keda: 'KEDA cannot read what it should scale by: {source}',
    kedaOfPod: 'KEDA cannot read what it should scale by: {source}',
    noPods: 'no metrics of its pods came in',
    kedaSays: 'KEDA says: {source}',
    scaledObject: 'the ScaledObject of KEDA is listed as READY False',
    unknownTarget: 'its target shows <unknown> where the present value should stand',
    apiDown: 'the metrics API itself does not answer',
    scales: 'it computes well by now',
  },
  slots: (
    place,
    {
      noRequest: request,
      noTarget: target,
      noScale: unscaled,
      noScaleOfPod: lone,
      ambiguous: several,
      noSelector: none,
      notServed: unserved,
      keda: scaler,
      kedaOfPod: told,
      kedaSays: words,
    },
  ) => {
    const source = ((scaler ?? told)?.message ?? words?.fields['source'] ?? words?.fields['trigger'] ?? words?.fields['parse'])
      ?.trim()
      .slice(0, 200);
    const resource = request?.fields['resource'] ?? 'cpu';
    const container = request?.fields['container'];
    const scale = (unscaled ?? lone)?.message;
    const why = (target?.fields['why'] ?? scale)?.trim().slice(0, 200) ?? 'see its message';
    const which = several?.fields['which']?.trim() ?? 'see its message';
    const kind = unserved?.fields['kind'] ?? unserved?.fields['absent'] ?? 'external';
    const metric = unserved?.fields['metric'] ?? unserved?.fields['unknown'];
    const [what, mechanism] = source
      ? [
          `KEDA cannot read its source (${source})`,
          'KEDA asks the source of a trigger itself (a queue, Prometheus, a cloud); a setting of the trigger, its credentials (TriggerAuthentication) or the way to the source is wrong.',
        ]
      : unserved
        ? unserved.fields['none'] || unserved.fields['absent']
          ? [
              `no adapter serves ${kind} metrics (${kind}.metrics.k8s.io is not registered)`,
              `Metrics that are not of cpu or memory come from an adapter (KEDA, prometheus-adapter, one of the cloud), which registers the API ${kind}.metrics.k8s.io.`,
            ]
          : [
              `the adapter of ${kind} metrics has no metric ${metric ?? 'of that name'}`,
              'An adapter serves only what its rules or scalers name, and only while its source (Prometheus, a queue, a cloud) gives a value it may read.',
            ]
        : request
          ? [
              `${container ? `container ${container}` : 'a container'} has no request for ${resource}`,
              `A target in percent is a percentage of the requests: every container of the pods, sidecars too, needs resources.requests.${resource}.`,
            ]
          : several
            ? [
                `several autoscalers select the same pods (${which})`,
                'Two autoscalers over the same pods would undo each other, so both stop.',
              ]
            : none
              ? ['its target has no selector', 'It finds the pods by the selector of its target, and that is empty.']
              : target || scale
                ? [
                    `its target cannot be read (${why})`,
                    'scaleTargetRef names a kind, an apiVersion or a name that the cluster does not have.',
                  ]
                : [
                    'no metrics of its pods came in',
                    'Either metrics-server is missing or down (kubectl top pods fails too), a container has no requests, or the pods are not ready yet.',
                  ];
    return {
      ...namesOf(place),
      name: place.kind === 'Workload' ? place.name : 'the workload',
      kind,
      resource,
      resourceField: unserved || (request && container === undefined) ? '' : `resources.requests.${resource}`,
      containerName: container ?? '',
      why,
      which,
      source: source ?? 'see its message',
      what: what ?? '',
      mechanism: mechanism ?? '',
    };
  },

  fixes: [
    {
      say: 'See what the autoscaler says, and what the pods request',
      risk: 'reads-only',
      steps: [
        { say: 'conditions and events', run: 'kubectl -n {{namespace}} describe hpa', on: 'cluster' },
        {
          say: 'requests of every container, injected ones too',
          run: "kubectl -n {{namespace}} get pods -o custom-columns='POD:.metadata.name,CONTAINERS:.spec.containers[*].name,REQUESTS:.spec.containers[*].resources.requests'",
          on: 'cluster',
        },
        {
          say: 'does the metrics API answer',
          run: 'kubectl top pods -n {{namespace}}; kubectl get apiservice | grep metrics',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'External and custom metrics: see whether the adapter runs, serves the API, and can read its source',
      risk: 'reads-only',
      for: ['notServed', 'keda', 'kedaOfPod', 'kedaSays'],
      steps: [
        {
          say: 'who serves them; only one adapter may serve external metrics',
          run: 'kubectl get apiservice | grep metrics',
          on: 'cluster',
        },
        {
          say: 'what it offers',
          run: 'kubectl get --raw /apis/external.metrics.k8s.io/v1beta1; kubectl get --raw /apis/custom.metrics.k8s.io/v1beta1',
          on: 'cluster',
        },
        {
          say: 'KEDA: conditions of the ScaledObject and the log of its operator',
          run: 'kubectl get scaledobjects -A; kubectl -n keda logs deploy/keda-operator --tail=50',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Give every container a request for {resource}; or use a ContainerResource metric that names one container',
      risk: 'restarts-pods',
      for: ['noRequest'],
      steps: [
        {
          say: 'for all containers of the workload',
          run: 'kubectl -n {{namespace}} set resources {{target}} --requests={{resource}}=100m',
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          container: '{{containerName}}',
          field: '{{resourceField}}',
          value: { ask: 'request', says: 'the amount of {{resource}} the container asks for, e.g. 100m or 128Mi' },
        },
      ],
      verified: 'kubectl get hpa shows a number instead of <unknown>',
    },
    {
      say: 'Target or selectors: name an object that is there, and keep one autoscaler for each set of pods',
      risk: 'restarts-pods',
      for: ['noTarget', 'ambiguous', 'noScale', 'noScaleOfPod', 'noSelector'],
      steps: [{ say: 'scaleTargetRef', run: 'kubectl -n {{namespace}} edit hpa NAME', on: 'cluster' }],
      verified: 'the condition ScalingActive is True',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/controller/podautoscaler/horizontal.go, replica_calculator.go, metrics/client.go'],
});
