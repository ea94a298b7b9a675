import { defineCause, excludes, line, minutes, namesOf, notByContainers, on, proves, supports } from '../../define-cause.ts';

const ASKED = ['pod-events', 'pod-status', 'pod-spec', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'] as const;
const notLoaded = line(
  [
    'Cannot enforce AppArmor',
    'apparmor profile not found',
    'apparmor profile',
    'apparmor failed to apply profile',
    'AppArmor enabled on system but the',
  ],
  ASKED,
  /Cannot enforce AppArmor: (?:profile \\*"(?<profile>[^"\\]{1,200})\\*" is not loaded|(?<reason>[^\n"]{3,200}))|apparmor profile not found (?<named>[^\s"\\:]{1,200})|unable to apply apparmor profile(?<apply>[^\n]{0,160}?no such file or directory)?|apparmor failed to apply profile|apply apparmor profile \\*"?(?<other>[^\s"\\:]{1,200})|apparmor profile \\*"(?<crio>[^"\\]{1,200})\\*" (?:is )?not (?:loaded|found)|AppArmor enabled on system but the (?<docker>\S{1,100}) profile could not be loaded/i,
);
const cannotParse = line(
  ['load apparmor profile', 'apparmor_parser'],
  ASKED,
  /load apparmor profile (?<file>\S{1,300}?): (?<error>[^\n]{3,200})|exec: \\*"apparmor_parser\\*": executable file not found|get apparmor_parser version: (?<version>[^\n"]{3,200})|(?<parser>AppArmor parser error[^\n]{0,200})/i,
);
const unsupported = line(
  ['apparmor not supported', 'apparmor is not supported', 'AppArmor is not enabled on the host', 'does not support apparmor'],
  ASKED,
  /config provided but apparmor not supported|apparmor is not supported|AppArmor is not enabled on the host|does not support apparmor/i,
);
const signals = line(['unable to signal init: permission denied', 'signaling init process caused: permission denied'], []);

export const cause = defineCause({
  id: 'apparmor-profile-missing',
  area: 'runtime',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['create-error', 'config-error', 'creating', 'crash-loop', 'init-crash', 'failed', 'pending', 'not-ready', 'other-trouble'],
  wakesOn: [on('host.lsm', { module: 'apparmor', state: 'disabled' })],

  text: {
    name: 'AppArmor profile not loaded',
    title: 'The AppArmor profile {profile} of {container} is not loaded on its node',
    why: 'A pod may ask for an AppArmor profile by name (appArmorProfile, or the annotation container.apparmor.security.beta.kubernetes.io). The kernel of the node must have it loaded; Kubernetes does not bring it along. {reason} So {container} is refused on such nodes and runs on others.',
  },

  clues: {
    notLoaded: proves(notLoaded, notByContainers),
    cannotParse: proves(cannotParse, notByContainers),
    unsupported: proves(unsupported, notByContainers),
    disabled: supports('host.lsm', ({ module, state }) => module === 'apparmor' && state === 'disabled'),
    signals: excludes(signals),
  },
  says: {
    notLoaded: 'the profile {profile} is not loaded or cannot be applied',
    cannotParse: 'the runtime cannot load its AppArmor profile: {parser}',
    unsupported: 'AppArmor is asked for, but kernel or runtime do not offer it',
    disabled: 'AppArmor is disabled on the node',
    signals: 'the profile is loaded; it stops the signals of runc',
  },
  slots: (place, { notLoaded: said, cannotParse: parse, unsupported: none, disabled }) => {
    const fields = said?.fields ?? {};
    const parser = (parse?.fields['error'] ?? parse?.fields['version'] ?? parse?.fields['parser'] ?? 'apparmor_parser is missing')
      .trim()
      .slice(0, 120);
    return {
      ...namesOf(place),
      profile:
        fields['profile'] ??
        fields['named'] ??
        fields['crio'] ??
        fields['other'] ??
        fields['docker'] ??
        (parse ? 'of the runtime' : 'it asks for'),
      parser,
      reason: parse
        ? `Here the runtime could not load it: ${parser}.`
        : none || disabled
          ? 'Here AppArmor is not enabled at all.'
          : `Here it is not loaded${fields['reason'] ? ` (${fields['reason'].trim()})` : ''}.`,
    };
  },

  fixes: [
    {
      say: 'See which profiles the node has, and which one the pod wants',
      risk: 'reads-only',
      steps: [
        {
          say: 'profiles in the kernel',
          run: 'cat /sys/module/apparmor/parameters/enabled; aa-status || cat /sys/kernel/security/apparmor/profiles',
          on: 'node',
        },
        { say: 'what the pod asks for', run: 'kubectl -n {{namespace}} get {{target}} -o yaml | grep -niA3 apparmor', on: 'cluster' },
      ],
    },
    {
      say: 'Load the profile on every node where {container} may run (a DaemonSet or the security-profiles-operator keeps it there)',
      risk: 'touches-node',
      steps: [
        {
          say: 'load it now; below /etc/apparmor.d it is loaded at boot too',
          run: 'cp PROFILE /etc/apparmor.d/ && apparmor_parser -r -W /etc/apparmor.d/PROFILE',
          on: 'node',
        },
        { say: 'the loader itself: Debian, Ubuntu', run: 'apt-get install -y apparmor apparmor-utils', on: 'node', family: 'debian' },
        { say: 'the loader itself: SUSE', run: 'zypper install -y apparmor-parser', on: 'node', family: 'suse' },
        {
          say: 'make the pod anew: a refused one is not tried again',
          run: 'kubectl -n {{namespace}} rollout restart {{target}}',
          on: 'cluster',
        },
      ],
      verified: '{container} is Started on the node',
    },
    {
      say: 'Or keep it to nodes that have the profile, or use RuntimeDefault',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'appArmorProfile: type: RuntimeDefault (or Unconfined) in the securityContext, or a nodeSelector',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/security/apparmor/validate.go, pkg/kubelet/kubelet.go',
    'containerd internal/cri/server/container_create_linux.go, contrib/apparmor',
    'opencontainers/runc libcontainer/apparmor',
    'cri-o internal/config/apparmor',
  ],
});
