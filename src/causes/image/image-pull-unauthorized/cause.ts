import {
  defineCause,
  excludes,
  imageIn,
  line,
  minutes,
  namesOf,
  notByContainers,
  on,
  proves,
  pullLine,
  registryAnswers,
  registryIn,
  sandboxImagePull,
  supports,
  waitsForImage,
} from '../../define-cause.ts';

/** The groups tell what the registry objects to: no credentials, wrong or expired ones, or an identity without the right. */
const refused = pullLine(
  [
    'pull access denied',
    'no basic auth credentials',
    'insufficient_scope',
    '401 unauthorized',
    '403 forbidden',
    'unauthorized: ',
    'denied: ',
    '": denied',
    'invalid username/password',
    'authentication required',
    'authorization token has expired',
    'is not authorized',
    'failed to fetch anonymous token',
    'failed to fetch oauth token',
  ],
  /(?<none>no basic auth credentials|Unauthenticated request|failed to fetch anonymous token[\s\S]{0,400}?: 40[13] )|(?<wrong>failed to fetch oauth token[\s\S]{0,400}?: 40[013] |(?:unauthorized: )?incorrect username or password|invalid username\/password|HTTP Basic: Access denied)|(?<expired>authorization token has expired)|(?<policy>\b403 Forbidden|denied: Permission\b|denied: access forbidden|not authorized to perform: ecr:|unauthorized to access repository)|(?<denied>pull access denied(?![\s\S]{0,160}?no basic auth)|requested access to the resource is denied|insufficient_scope|\b401 Unauthorized|unauthorized: |authentication required|denied: denied|resource is not authorized|\\*": denied\b)/,
);
const noPullSecret = line(
  'Unable to retrieve some image pull secrets',
  'pod-events',
  /Unable to retrieve some image pull secrets \((?<secrets>[^)]{1,300})\)/i,
);
const noOfficialImage = line(
  ['pull access denied', 'requested access to the resource is denied'],
  [],
  /docker\.io\/library\/[\w.:@-]{1,200}[\s\S]{0,40}?(?:pull access denied|requested access to the resource is denied)|pull access denied for [\w.-]{1,200}, repository does not exist/i,
);
const unknownToRegistry = registryAnswers('unknown');

interface Objection {
  readonly short: string;
  readonly objection: string;
  readonly blames: 'credentials' | 'rights';
}

const DENIED: Objection = {
  blames: 'credentials',
  short: 'no valid credentials, or no such repository',
  objection: 'the repository is private and the pod has no valid credentials for it, or there is none of that name',
};
const OBJECTIONS: Readonly<Record<string, Objection>> = {
  none: {
    blames: 'credentials',
    short: 'no credentials sent',
    objection: 'no credentials were sent, and it does not serve anonymous pulls',
  },
  wrong: { blames: 'credentials', short: 'wrong credentials', objection: 'the credentials (user name or password) are wrong' },
  expired: { blames: 'credentials', short: 'login token expired', objection: 'the login token has expired' },
  policy: {
    blames: 'rights',
    short: 'permission denied (403)',
    objection: 'a policy of the repository or a missing permission denies the pull to whoever asks (403)',
  },
};

function objectionIn(fields: Readonly<Record<string, string>> | undefined): Objection {
  const kind = Object.keys(OBJECTIONS).find((name) => fields?.[name] !== undefined);
  return OBJECTIONS[kind ?? ''] ?? DENIED;
}

export const cause = defineCause({
  id: 'image-pull-unauthorized',
  area: 'image',
  at: 'Workload',
  maturity: 'stable',
  explains: ['image-pull', 'creating', 'init-stuck'],
  wakesOn: [on('pod.symptom', { symptom: 'image-pull' })],

  text: {
    name: 'Registry refuses the pull',
    title: 'Registry refuses image {image}: {short}',
    why: 'The registry was reached and asks for authentication or permission: {objection}. Credentials for a pull come from the imagePullSecrets of the pod or its ServiceAccount (same namespace, same registry host), from the node, or from its cloud role.',
  },

  clues: {
    stuck: waitsForImage,
    refused: proves(refused, notByContainers),
    secret: supports(noPullSecret),
    official: excludes(noOfficialImage),
    unknown: excludes(unknownToRegistry),
    sandbox: excludes(sandboxImagePull),
  },
  says: {
    stuck: 'a pod waits for its image',
    refused: 'the registry refuses: {objection}',
    secret: 'the pull secret the pod names ({secrets}) does not exist in its namespace',
    official: 'official images of Docker Hub are public: there is none of that name',
    unknown: 'the registry let the node in and has no such image',
    sandbox: 'it is the pause image of the node that cannot be had',
  },
  slots: (place, { refused, secret }) => {
    const image = imageIn(refused) ?? 'of the pod';
    const said = objectionIn(refused?.fields);
    const secrets = secret?.fields['secrets'];
    return {
      image,
      ...said,
      // The event tells why there are none: that is more than the registry knows.
      ...(secrets !== undefined && said.blames !== 'rights' ? { short: `the pull secret ${secrets} does not exist` } : {}),
      secrets: secret?.fields['secrets'] ?? 'none',
      pullSecret: secrets === undefined || secrets.includes(',') ? '' : 'imagePullSecrets.0.name',
      registry: registryIn(image) ?? 'https://index.docker.io/v1/',
      repository:
        imageIn(refused)
          ?.replace(/^[^/]*[.:][^/]*\//, '')
          .replace(/[:@].*$/, '') ?? 'REPOSITORY',
      ...namesOf(place),
    };
  },

  fixes: [
    {
      say: 'Look at the credentials the pod has, and at the spelling of the image',
      risk: 'reads-only',
      steps: [
        {
          say: 'which pull secrets the workload names (those of its ServiceAccount count too)',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -n -A3 -E 'imagePullSecrets|serviceAccountName|image:'",
          on: 'cluster',
        },
        {
          say: 'they must be of type kubernetes.io/dockerconfigjson, in this namespace, for this registry host',
          run: 'kubectl -n {{namespace}} get secrets,serviceaccounts',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Give the pods credentials: a pull secret for the registry, named in imagePullSecrets',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'create it (for an expired or wrong one: delete it first)',
          run: 'kubectl -n {{namespace}} create secret docker-registry registry-login --docker-server={{registry}} --docker-username=USER --docker-password=PASSWORD',
          on: 'cluster',
        },
        {
          say: 'let every pod of the ServiceAccount use it, or set spec.imagePullSecrets in the template',
          run: `kubectl -n {{namespace}} patch serviceaccount default -p '{"imagePullSecrets":[{"name":"registry-login"}]}'`,
          on: 'cluster',
        },
        { say: 'make new pods', run: 'kubectl -n {{namespace}} rollout restart {{target}}', on: 'cluster' },
      ],
      changes: [
        {
          do: 'workload-set',
          field: '{{pullSecret}}',
          value: { ask: 'secret', says: 'a pull secret of the namespace that holds a login for the registry' },
        },
      ],
      verified: 'an event Pulled, and the pods become ready',
    },
    {
      say: 'On 403, or with a cloud registry: allow the role or account the pull, and remove any policy statement that denies it',
      risk: 'touches-node',
      steps: [
        {
          say: 'Amazon ECR: the node role needs AmazonEC2ContainerRegistryReadOnly, and the repository policy must not have a Deny for it',
          run: 'aws ecr get-repository-policy --repository-name {{repository}}',
        },
        { say: 'Google: roles/artifactregistry.reader for the node service account; Azure: AcrPull for the kubelet identity' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containerd core/remotes/docker/resolver.go, authorizer.go',
    'moby daemon/internal/distribution/errors.go',
    'containers/image docker/docker_client.go',
    'kubernetes pkg/kubelet/images/image_manager.go',
  ],
});
