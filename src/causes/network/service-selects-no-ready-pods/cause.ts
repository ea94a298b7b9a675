import { entityOf } from '../../../model/entity.ts';
import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, line, minutes, namesOf, objectOf, on, proves, supports } from '../../define-cause.ts';

const unavailable = line(
  ['no endpoints available for service', 'no running pod for service'],
  ['objects', 'container-log', 'control-plane-log', 'host-tools', 'object-events'],
  /^(?![\s\S]{0,3000}?webhook)[\s\S]{0,3000}?(?:no endpoints available for service [\\"“”]{1,8}(?<service>[\w.:/-]{1,253})|no running pod for service (?<minikube>[\w.-]{1,253}) found)/i,
);
const printed = line(['Endpoints:'], ['objects', 'host-tools'], /^\s{0,20}Endpoints:\s{1,60}(?<none><none>)\s{0,20}$/);

/** Endpoints that only serve as a lock, or that nobody fills on purpose. */
const LOCKS = /(?:kube-scheduler|kube-controller-manager|leader|lock|\.io-|provisioner)[^/]*$/;

function isEmpty({ about, status, ageSeconds }: Fact<'object.status'>): boolean {
  return (
    status === '<none>' && /^Object\/(?:Service|Endpoints|EndpointSlice)\//.test(about) && !LOCKS.test(about) && (ageSeconds ?? 600) >= 60
  );
}

function isSelecting(fact: Fact<'object.status'>): boolean {
  return isEmpty(fact) && fact.about.startsWith('Object/Service/') && /Selector \S/.test(fact.detail ?? '');
}

export const cause = defineCause({
  id: 'service-selects-no-ready-pods',
  area: 'network',
  at: 'Object',
  maturity: 'stable',
  explains: ['other-trouble', 'not-ready', 'no-pods'],
  wakesOn: [on('object.status', { status: '<none>' }), on('service.selects-nothing')],

  text: {
    name: 'Service has no endpoints',
    title: 'Service {service} has no endpoints: no ready pod carries the labels of its selector{selector}',
    why: 'A Service leads to the pods that carry all labels of its selector{selector}, are ready, and listen on its targetPort. For {service} there is none, so connections to it are refused or time out. Either labels and selector differ (a typing error, a rename, another namespace), or the pods that match are not ready, or a named targetPort is in no container.',
  },

  clues: {
    selecting: proves('object.status', isSelecting),
    unavailable: proves(unavailable),
    empty: supports('object.status', isEmpty),
    printed: supports(printed),
    mismatch: supports('service.selects-nothing'),
    filled: excludes(
      'object.status',
      ({ about, status }) => /^Object\/(?:Service|Endpoints)\//.test(about) && /^[\d.]{7,15}:\d|^\[?[\da-f:]{3,39}\]?:\d/.test(status),
    ),
  },
  says: {
    selecting: 'the Service has a selector{selector} and no endpoints',
    unavailable: 'the API server finds no endpoints for Service {service}',
    empty: 'its list of endpoints is empty',
    mismatch: 'it selects {wants}, while {owner} carries {carries}',
    printed: 'its list of endpoints is empty',
    filled: 'the Service has endpoints',
  },
  slots: (place, { selecting, unavailable: said, empty, mismatch }) => {
    const { namespace } = namesOf(place);
    const named = (said?.fields['service'] ?? said?.fields['minikube'])?.replace(/^(?:https?:)?|:\w*$/g, '');
    const shown = /Selector (?<text>[^\s,][^ ]{0,200})/.exec(selecting?.detail ?? empty?.detail ?? '')?.groups?.['text'];
    const selector = shown ?? mismatch?.wants;
    const name = named ?? (place.kind === 'Object' && place.name !== '?' ? place.name : undefined);
    return {
      service: name === undefined ? 'in question' : namespace === 'NAMESPACE' || name.includes('/') ? name : `${namespace}/${name}`,
      name: name?.replace(/^.*\//, '') ?? 'SERVICE',
      namespace,
      selector: selector === undefined ? '' : ` (${selector})`,
      labels: selector ?? 'KEY=VALUE',
      wants: mismatch?.wants ?? 'other labels',
      carries: mismatch?.near ?? 'others',
      object: mismatch ? objectOf(entityOf(mismatch.about), 'Service') : '',
      label: /^(?<label>[\w./-]{1,150})=[^,=]{0,63}$/.exec(mismatch?.wants ?? '')?.groups?.['label'] ?? '',
      owner: mismatch?.nearOwner ?? 'the pod',
    };
  },

  fixes: [
    {
      say: 'Compare the selector of the Service with the labels of the pods',
      risk: 'reads-only',
      steps: [
        {
          say: 'selector and target ports',
          run: "kubectl -n {{namespace}} get service {{name}} -o jsonpath='{.spec.selector} {.spec.ports}'",
          on: 'cluster',
        },
        {
          say: 'pods that match: none, or none ready?',
          run: 'kubectl -n {{namespace}} get pods -l {{labels}} --show-labels',
          on: 'cluster',
        },
        { say: 'all pods of the namespace with their labels', run: 'kubectl -n {{namespace}} get pods --show-labels', on: 'cluster' },
        {
          say: 'addresses that are not ready stand in the slices',
          run: 'kubectl -n {{namespace}} get endpointslices -l kubernetes.io/service-name={{name}} -o yaml',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Correct the selector of the Service (or the labels of the pod template), and the targetPort',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'every label of the selector must be on the pods; running pods are not touched',
          run: 'kubectl -n {{namespace}} edit service {{name}}',
          on: 'cluster',
        },
        { say: 'a targetPort given by name must be a port name of the container' },
      ],
      changes: [
        {
          do: 'object-set',
          object: '{{object}}',
          field: 'spec.selector.{{label}}',
          value: { ask: 'value', says: 'the value of {{label}} that the pods have; of {{owner}} it is {{carries}}' },
        },
      ],
      verified: 'kubectl get endpoints {name} lists addresses',
    },
    {
      say: 'If pods match but are not ready: their own trouble comes first',
      risk: 'reads-only',
      steps: [{ say: 'why they are not ready', run: 'kubectl -n {{namespace}} describe pods -l {{labels}}', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes pkg/controller/endpointslice',
    'kubernetes.io docs: debug services',
    'kubernetes pkg/registry/core/service/storage (ResourceLocation)',
  ],
});
