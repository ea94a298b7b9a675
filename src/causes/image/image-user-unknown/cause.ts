import { defineCause, excludes, line, minutes, namesOf, notByContainers, proves, supports } from '../../define-cause.ts';

const unknownUser = line(
  [
    'no matching entries in passwd file',
    'no matching entries in group file',
    'unable to find user',
    'unable to find group',
    'no users found',
    'no groups found',
    'unknown user ',
  ],
  ['pod-events', 'pod-spec', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'],
  /unable to find (?<kind>user|group) (?<name>[^\s:"\\]{1,64})(?:: (?:no matching entries in \w{1,10} file|invalid))?|(?:containerd container|mount callback failed on \S{1,200}|generat(?:e|ing) (?:container )?spec|user string)[^\n]{0,200}?: (?<none>no users found|no groups found)|no matching entries in (?<file>passwd|group) file/,
);
const nonRoot = line('cannot verify user is non-root', [], /image has non-numeric user/);

export const cause = defineCause({
  id: 'image-user-unknown',
  area: 'image',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['create-error', 'config-error', 'crash-loop', 'init-crash', 'failed', 'other-trouble'],

  text: {
    name: 'User unknown in the image',
    title: '{container} shall run as {kind} {user}, which does not exist in its image',
    why: 'The image names its user by name (USER {user}), and the runtime looks that name up in {file} inside the image before it starts anything. There is no such entry, or a volume or a slim base image hides the file, so {container} is not started (CreateContainerError or RunContainerError), on every node alike.',
  },

  clues: {
    unknownUser: proves(unknownUser, notByContainers),
    numeric: supports('container.security', ({ runAsUser }) => runAsUser !== undefined),
    nonRoot: excludes(nonRoot),
  },
  says: {
    unknownUser: 'the runtime does not find the {kind} {user} in {file} of the image',
    numeric: 'the pod sets runAsUser {uid}',
    nonRoot: 'the kubelet cannot tell whether a user given by name is root (runAsNonRoot)',
  },
  slots: (place, { unknownUser: said, numeric }) => {
    const kind =
      said?.fields['kind'] ?? (said?.fields['file'] === 'group' || said?.fields['none'] === 'no groups found' ? 'group' : 'user');
    return {
      ...namesOf(place),
      named: place.name.includes(' ') ? '' : place.name,
      kind,
      user: said?.fields['name'] ?? 'of its image',
      file: kind === 'group' ? '/etc/group' : '/etc/passwd',
      uid: numeric?.runAsUser ?? '',
    };
  },

  fixes: [
    {
      say: 'See which user the image wants and which it has',
      risk: 'reads-only',
      steps: [
        { say: 'the user the image is set to', run: 'skopeo inspect --config docker://IMAGE | grep -i \'"User"\'' },
        { say: 'users in it', run: 'docker run --rm --user 0 --entrypoint cat IMAGE /etc/passwd /etc/group' },
      ],
    },
    {
      say: 'Give the user by number: runAsUser (and runAsGroup) in the securityContext of {container}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'securityContext: runAsUser: 1000, the UID that owns the files of the program',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          container: '{{named}}',
          field: 'securityContext.runAsUser',
          value: { ask: 'user', says: 'the number of the user that owns the files of the program, such as 1000' },
        },
      ],
      verified: '{container} is Started',
    },
    {
      say: 'Or rebuild the image: create the {kind} {user} in the last stage, or use a numeric USER',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'Debian base: RUN groupadd -g 1000 app && useradd -u 1000 -g app app; Alpine base: adduser -D -u 1000 app; then USER 1000:1000',
          run: 'docker build -t IMAGE . && docker push IMAGE',
        },
        { say: 'a volume mounted over /etc hides passwd: mount single files instead (subPath)' },
      ],
      changes: [
        {
          do: 'workload-set',
          container: '{{named}}',
          field: 'image',
          value: { ask: 'image', says: 'the image to use, such as registry.example/team/app:1.4' },
        },
      ],
      verified: '{container} is Started',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'moby/sys user/user.go (GetExecUser)',
    'containerd pkg/oci/spec_opts.go (WithUser, WithUsername)',
    'cri-o internal/factory/container',
    'moby daemon/oci_linux.go',
  ],
});
