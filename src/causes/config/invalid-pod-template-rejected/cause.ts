import { defineCause, excludes, line, minutes, namesOf, notByContainers, proves, supports } from '../../define-cause.ts';

const PRINTED_BY = ['object-events', 'workload', 'prose', 'control-plane-log'] as const;

const KINDS =
  'Pod|Deployment|StatefulSet|DaemonSet|ReplicaSet|Job|CronJob|PodTemplate|DeploymentConfig|Rollout|Service|Ingress|IngressClass|CustomResourceDefinition|Secret|ConfigMap|ServiceAccount|Namespace|ClusterRoleBinding|RoleBinding|ClusterRole|Role|NetworkPolicy|HorizontalPodAutoscaler|PodDisruptionBudget|StorageClass|PriorityClass|ValidatingWebhookConfiguration|MutatingWebhookConfiguration';

const invalid = line(
  ['" is invalid: ', '\\" is invalid: '],
  PRINTED_BY,
  new RegExp(
    `(?:(?<kind>${KINDS}|(?<!\\w)(?!Node\\b|PersistentVolume)[A-Z]\\w{2,60}(?=(?:\\.[a-z0-9.-]{1,200})? \\\\*"[^"\\\\\\n]{1,253}\\\\*" is invalid: \\[?(?:spec|metadata|status)[.:[]))(?:\\.[a-z0-9.-]{1,200})?) \\\\*"(?<name>[^"\\\\\\n]{1,253})\\\\*" is invalid: (?:\\[?(?<field>[\\w.[\\]/()-]{2,200}): )?(?<problem>[^\\n]{1,400})`,
  ),
);
const unknownField = line(
  ['strict decoding error', 'error validating data', 'ValidationError('],
  PRINTED_BY,
  /(?:strict decoding error: |ValidationError\((?<path>[\w.[\]]{1,200})\): |error validating data: )(?<problem>\[?(?:unknown field|missing required field|invalid type|unknown object type|\w+ not set|duplicate field)[^\n]{0,240})/,
);
const cannotBeRead = line(
  ['cannot be handled as a', 'cannot unmarshal', 'error converting YAML to JSON', 'error parsing '],
  PRINTED_BY,
  /(?<!\w)(?<kind>\w{3,40}) in version \\*"(?<version>[^"\\\n]{1,80})\\*" cannot be handled as a \w{3,40}: (?<problem>[^\n]{1,300})|(?:(?:[Ee]rror: |error parsing [^\n:]{1,200}: |(?:parse|load|read|decode)[^\n:]{0,80}manifests?\/[^\n:]{1,200}: )error |^error )converting YAML to JSON: (?<yaml>[^\n]{1,200})|json: cannot unmarshal (?<value>\w{1,20}) into Go struct field (?<go>\w{1,60}\.(?:spec|metadata|data|status|roleRef|subjects)\b[\w.[\]]{0,120})/,
);
const quantity = line(['quantities must match the regular expression', 'unable to parse quantity'], PRINTED_BY);
const immutable = line(
  [
    'field is immutable',
    'updates to statefulset spec for fields other than',
    'pod updates may not change fields other than',
    '`selector` does not match template `labels`',
    'spec is immutable after creation',
    'may not change once set',
    'cannot change roleRef',
    'may not be changed in an update',
    'updates to parameters are forbidden',
    'updates to provisioner are forbidden',
  ],
  PRINTED_BY,
  /(?<![\w.])(?<field>[\w.]{2,120}): (?:Forbidden|Invalid value): [^\n]{0,400}?(?<problem>field is immutable|spec is immutable after creation|updates to statefulset spec for fields other than|pod updates may not change fields other than|`selector` does not match template `labels`|may not change once set|cannot change roleRef|may not be changed in an update|updates to (?:parameters|provisioner) are forbidden)|field is immutable/,
);
const otherRefusal = line(
  ['denied the request', 'violates PodSecurity', 'exceeded quota', 'unable to validate against any'],
  [],
  /admission webhook \\*"[^"\\\n]{1,253}\\*" denied the request|violates PodSecurity|is forbidden: exceeded quota|unable to validate against any (?:pod security policy|security context constraint)/i,
);

/** A controller quotes the API server about pods it could not make; nobody else speaks of fields so. */
function isVerdictOfApi({ fields }: { readonly fields: Readonly<Record<string, string | undefined>> }): boolean {
  return (
    /^(?:spec|metadata|status|roleRef|data)(?:[.[]|$)/.test(fields['field'] ?? '') &&
    /^(?:(?:Invalid|Required|Unsupported|Duplicate) value|Forbidden|Too long)\b/.test(fields['problem'] ?? '')
  );
}

/** What the verdict means where its own words name only the symptom. */
function inWords(path: string | undefined, problem: string | undefined, field: string | undefined): string | undefined {
  const said = `${path ?? ''} ${problem ?? ''}`;
  if (/preserveUnknownFields/.test(said))
    return 'the CRD in the cluster was made with apiextensions.k8s.io/v1beta1 and still has spec.preserveUnknownFields: true, which a CRD with defaults or a conversion webhook may not have';
  const allowed = /updates to statefulset spec for fields other than (?<allowed>[^\n]{3,200}?) are forbidden/.exec(said)?.groups?.[
    'allowed'
  ];
  if (allowed !== undefined)
    return `the change touches a field of the StatefulSet that is immutable (mostly volumeClaimTemplates, selector labels or serviceName): only ${allowed} can be changed`;
  if (/cannot change roleRef/.test(said)) return 'the role that a binding refers to (roleRef) is immutable';
  if (
    /field is immutable|may not change once set|may not be changed in an update|updates to (?:parameters|provisioner) are forbidden/.test(
      said,
    )
  )
    return `${path ?? field ?? 'a field'} is immutable: it cannot be changed once the object exists`;
  return undefined;
}

function short(text: string | undefined): string | undefined {
  return text
    ?.replaceAll('\\', '')
    .replace(/[\s\]]+$/, '')
    .slice(0, 220);
}

export const cause = defineCause({
  id: 'invalid-pod-template-rejected',
  area: 'config',
  at: 'Workload',
  maturity: 'stable',
  explains: ['no-pods', 'other-trouble', 'pending', 'not-ready'],
  // What the API server says of one field is told better by the cause of that field.
  effectOf: ['ipv6-disabled-or-dualstack-mismatch', 'node-name-invalid', 'volume-expansion-refused'],

  text: {
    name: 'Manifest rejected by the API',
    title: 'The API server rejects {object} as invalid: {problem}',
    why: 'Before anything is created the API server checks the object against its schema and rules; {object} does not pass: {problem}. {consequence}',
  },

  clues: {
    invalid: proves(invalid, (fact) => notByContainers(fact) || isVerdictOfApi(fact)),
    unknownField: proves(unknownField, notByContainers),
    cannotBeRead: proves(cannotBeRead, notByContainers),
    immutable: proves(immutable, notByContainers),
    oldDefinition: proves(invalid, ({ fields }) => /preserveUnknownFields/.test(`${fields['field']} ${fields['problem']}`)),
    tooLong: proves(invalid, ({ fields }) => /^Too long/.test(fields['problem'] ?? '')),
    taken: proves(invalid, ({ fields }) => /already allocated|storedVersions/.test(`${fields['field']} ${fields['problem']}`)),
    quantity: supports(quantity, notByContainers),
    failed: supports('workload.condition', ({ type, status }) => type === 'ReplicaFailure' && status === 'True'),
    otherRefusal: excludes(otherRefusal),
  },
  says: {
    invalid: 'the API server calls {object} invalid: {problem}',
    unknownField: 'a field of the manifest is not known or missing: {problem}',
    cannotBeRead: 'the manifest cannot be read: {problem}',
    immutable: 'the change touches what may not be changed: {problem}',
    oldDefinition: 'the CRD in the cluster is of the old sort (v1beta1) and keeps unknown fields',
    tooLong: 'it is too long to be stored',
    taken: 'a port, address or version is taken or still in use',
    quantity: 'a quantity is not written as Kubernetes expects it',
    failed: 'the workload reports ReplicaFailure: it cannot create pods',
    otherRefusal: 'a policy, quota or webhook refuses the pod',
  },
  slots: (place, { invalid: whole, unknownField: field, cannotBeRead: unread, immutable: fixed }) => {
    const what = whole?.fields['kind'];
    const object = what ? `${what} ${whole.fields['name']}` : 'the manifest';
    const goType = unread?.fields['go'] ? `${unread.fields['value']} where ${unread.fields['go']} is expected` : undefined;
    const path = whole?.fields['field'];
    return {
      ...namesOf(place),
      object,
      name: whole?.fields['name'] ?? 'NAME',
      doomed:
        what !== undefined && /^[a-z0-9.-]{1,253}$/.test(whole?.fields['name'] ?? '')
          ? `${what.toLowerCase()}/${whole?.fields['name']}`
          : namesOf(place).target,
      problem:
        inWords(path, whole?.fields['problem'], fixed?.fields['field']) ??
        short(whole ? `${path ? `${path}: ` : ''}${whole.fields['problem']}` : undefined) ??
        short(field?.fields['problem']) ??
        short(unread?.fields['problem'] ?? unread?.fields['yaml'] ?? goType) ??
        short(fixed?.fields['problem']) ??
        'a field is not valid',
      consequence:
        hintOf(`${path ?? ''} ${whole?.fields['problem'] ?? ''}`) ??
        (fixed
          ? 'Such fields are fixed once the object exists: it has to be deleted and created anew.'
          : what === 'Pod'
            ? 'The controller tries again and again, but no pod is created until the template is corrected.'
            : 'Nothing is created or changed until the manifest is corrected.'),
    };
  },

  fixes: [
    {
      say: 'Let the API server check the manifest without applying it',
      risk: 'reads-only',
      steps: [
        { say: 'all complaints at once', run: 'kubectl apply --dry-run=server --validate=strict -f FILE', on: 'cluster' },
        {
          say: 'what the field may hold',
          run: 'kubectl explain deployment.spec.template.spec.containers --recursive | less',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Correct the template ({problem}) and apply it again',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'mind indentation, spelling, units (Mi, m) and numbers that must be quoted',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: 'pods are created',
    },
    {
      say: 'A field that is fixed once the object exists (selector, volumeClaimTemplates, the template of a Job): delete the object and create it anew, keeping its pods where possible',
      risk: 'restarts-pods',
      for: ['immutable'],
      steps: [
        {
          say: 'a larger volume of a StatefulSet: enlarge each claim (pvc) first, where its class allows it',
          run: `kubectl -n {{namespace}} patch pvc CLAIM -p '{"spec":{"resources":{"requests":{"storage":"SIZE"}}}}'`,
          on: 'cluster',
        },
        {
          say: 'a Deployment or StatefulSet: pods and claims stay, and the new one takes them over',
          run: 'kubectl -n {{namespace}} delete {{doomed}} --cascade=orphan',
          on: 'cluster',
        },
        { say: 'a Job that has finished can go as a whole', run: 'kubectl -n {{namespace}} delete job NAME', on: 'cluster' },
        {
          say: 'so that it does not come back: for Argo CD the annotation argocd.argoproj.io/sync-options: Force=true,Replace=true on the Job, for Helm a hook with helm.sh/hook-delete-policy: before-hook-creation',
        },
      ],
      verified: 'the new object is accepted',
    },
    {
      say: 'Too long for its annotations: apply it on the side of the server, which needs no copy of the whole object',
      risk: 'reads-only',
      for: ['tooLong'],
      steps: [{ say: 'or kubectl create, kubectl replace', run: 'kubectl apply --server-side --force-conflicts -f FILE', on: 'cluster' }],
    },
    {
      say: 'A port, address or version that is taken or still in use: see who has it',
      risk: 'reads-only',
      for: ['taken'],
      steps: [
        { say: 'node ports of all Services', run: 'kubectl get services -A | grep -E "NodePort|LoadBalancer"', on: 'cluster' },
        {
          say: 'versions of a CRD in which objects are stored; rewrite those objects, then take the old version out of status.storedVersions',
          run: 'kubectl get crd -o custom-columns=NAME:.metadata.name,STORED:.status.storedVersions',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Tell the CRD in the cluster to drop unknown fields, then apply or upgrade again',
      risk: 'may-lose-data',
      for: ['oldDefinition'],
      steps: [
        {
          say: 'fields that the schema does not name are dropped from now on; objects with such fields lose them when they are written next',
          run: 'kubectl patch crd {{name}} --type=merge -p \'{"spec":{"preserveUnknownFields":false}}\'',
          on: 'cluster',
        },
        {
          say: 'many at once, e.g. of a chart',
          run: 'kubectl get crd -o custom-columns=NAME:.metadata.name,KEEPS:.spec.preserveUnknownFields | grep true',
          on: 'cluster',
        },
      ],
      verified: 'the CRD is accepted',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes pkg/apis/core/validation/validation.go',
    'apimachinery pkg/util/validation/field/errors.go, pkg/api/meta/errors.go',
  ],
});

/** What the API server leaves unsaid about some of its verdicts. */
function hintOf(problem: string): string | undefined {
  if (/updates to statefulset spec for fields other than/.test(problem))
    return 'Of a StatefulSet only what the message lists can be changed. All else is fixed once it exists: size and class in volumeClaimTemplates, serviceName, selector, podManagementPolicy. A larger volume is asked for in the claims themselves; the StatefulSet is then deleted without its pods and made anew.';
  if (/spec\.selector[^\n]*field is immutable/.test(problem))
    return 'The selector of a workload is fixed once it exists; a chart or kustomization that changed its labels needs the object deleted and made anew.';
  if (/template[^\n]*field is immutable/.test(problem))
    return 'The template of a Job is fixed once it exists: delete the finished Job, or give each one a name of its own.';
  if (/nodePort[^\n]*already allocated/.test(problem)) return 'Another Service of the cluster has that node port.';
  if (/already allocated/.test(problem)) return 'Another Service of the cluster has that address.';
  const range = /not in the valid range\. The range of valid (?:IPs|ports) is (?<range>[\da-fA-F.:/-]{3,60})/.exec(problem)?.groups?.[
    'range'
  ];
  if (range !== undefined && /nodePort/.test(problem))
    return `Node ports come from the range ${range} (--service-node-port-range of the API server): choose one in it, or leave nodePort out and get one.`;
  if (range !== undefined)
    return `The clusterIP is written into the manifest, but Services of this cluster live in ${range} (--service-cluster-ip-range): it comes from another cluster or from a default of the chart. Leave clusterIP out, or take a free address of that range (also as clusterDNS of the kubelets, where it is the DNS).`;
  if (/metadata\.annotations[^\n]*Too long/.test(problem))
    return 'kubectl apply writes a copy of the whole object into an annotation (last-applied-configuration), and all annotations together may have 256 KiB.';
  if (/data: Too long/.test(problem)) return 'A Secret or ConfigMap holds at most 1 MiB; Helm keeps the whole chart in one.';
  if (/storedVersions/.test(problem)) return 'Objects may still be stored in that version, so the CRD may not drop it yet.';
  return undefined;
}
