import { defineCause, excludes, line, minutes, notByContainers, on, proves, supports } from '../../define-cause.ts';

const memoryProtection = line(
  ['cannot change memory protections', 'RELRO protection failed', 'cannot restore segment prot after reloc'],
  'container-log',
  /(?:error while loading shared libraries: (?<library>[^\s:]{1,200}): )?(?:cannot change memory protections|cannot restore segment prot after reloc: Permission denied)|Error relocating (?<musl>[^\s:]{1,200}): RELRO protection failed: Permission denied/,
);
const cannotLabel = line(
  [
    'failed to set file label on',
    'SELinux relabeling of',
    'relabel failed',
    'attr/keycreate',
    'unable to set process label',
    'set process label',
    'failed to set selinux relabel',
  ],
  ['pod-events', 'pod-spec', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'],
  /failed to set file label on (?<path>\/[^\s:"\\]{1,300}): (?<error>[\w ]{5,60})|relabel(?:ing)?(?: of)? (?:failed )?\\*"?(?<relabel>\/[^\s:"\\]{1,300})\\*"?(?::| is) (?<why>not allowed|operation not supported|permission denied|[\w ]{5,40})|(?<key>attr\/keycreate)[^\n]{0,60}?(?:invalid argument|permission denied|operation not permitted)|(?:unable to )?set process label[^\n]{0,120}?(?<label>invalid argument|permission denied)|failed to set selinux relabel/i,
);
const denied = line(
  ['avc:  denied', 'avc: denied'],
  ['kernel-log', 'system-log'],
  /avc: {1,2}denied {1,2}\{ (?<operation>(?:execute|entrypoint|transition|execmod|relabel|keycreate|setexec|map)[^}]{0,60}?) \} for [^\n]{0,300}?(?:comm="(?<program>[^"]{1,60})")?[^\n]{0,400}?(?:container_t|container_runtime_t|container_file_t|container_var_lib_t|container_ro_file_t|unlabeled_t|svirt_lxc|svirt_sandbox_file_t|spc_t)/,
);
/** setroubleshoot tells the same in a sentence. */
const prevented = line(
  ['SELinux is preventing'],
  ['system-log', 'prose'],
  /SELinux is preventing (?<program>\S{1,120}) from (?<access>[\w', ]{3,80}?) access(?:es)? on the (?<kind>\w{3,20})(?: (?<target>[^\s.][^\s]{0,120}))?/,
);
const noPolicy = line(
  ['container-selinux'],
  ['host-tools', 'kubeadm-output', 'system-log'],
  /package container-selinux is not installed|(?:Requires|nothing provides|requires): container-selinux/i,
);
const seccomp = line(['type=1326', 'apparmor="DENIED"'], []);

export const cause = defineCause({
  id: 'selinux-relabel-or-type',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['crash-loop', 'create-error', 'creating', 'init-crash', 'restarts', 'failed', 'other-trouble'],
  effectOf: ['os-upgrade-replaced-runtime-config'],
  wakesOn: [on('kernel.denial', { by: 'selinux' })],

  text: {
    name: 'SELinux keeps containers from starting',
    title: 'SELinux on {node} keeps containers from starting: {what}',
    why: 'On an enforcing host each file of the container store must carry the SELinux label containers may use (container_file_t, container_ro_file_t), and the policy package container-selinux must be there. On {node} that is not so: {what}. Mostly the data folder of the runtime was moved to another path or disk without restorecon, or container-selinux is missing or old.',
  },

  clues: {
    memoryProtection: proves(memoryProtection),
    cannotLabel: proves(cannotLabel, notByContainers),
    denied: supports(denied),
    prevented: supports(prevented),
    noPolicy: supports(noPolicy),
    seccomp: excludes(seccomp),
  },
  says: {
    memoryProtection: 'a program may not load its libraries: cannot change memory protections',
    cannotLabel: 'a label cannot be set: {label}',
    denied: 'the audit log shows a denial for a container: {operation}',
    prevented: 'SELinux is preventing {program} from {access}',
    noPolicy: 'the package container-selinux is missing',
    seccomp: 'another module (AppArmor, seccomp) is what denies',
  },
  slots: (place, { memoryProtection: memory, cannotLabel: label, denied: avc, prevented: told }) => {
    const fields = label?.fields ?? {};
    const path = fields['path'] ?? fields['relabel'] ?? (fields['key'] ? '/proc/self/attr/keycreate' : 'the process');
    const why = fields['error'] ?? fields['why'] ?? fields['label'] ?? 'refused';
    const operation = avc?.fields['operation']?.trim() ?? 'execute';
    return {
      node: place.name,
      label: `${path}: ${why.trim()}`,
      operation,
      program: told?.fields['program'] ?? 'a program',
      access: told?.fields['access'] ?? 'an access',
      what: memory
        ? `${memory.fields['library'] ?? memory.fields['musl'] ?? 'a library'} may not be mapped for execution (cannot change memory protections)`
        : label
          ? `a label cannot be set on ${path} (${why.trim()})`
          : told && !avc
            ? `${told.fields['program'] ?? 'a program'} may not ${(told.fields['access'] ?? 'use').replaceAll("'", '')} the ${told.fields['kind'] ?? 'file'} ${(told.fields['target'] ?? '').replace(/[.,]$/, '')}`.trim()
            : `access { ${operation} } is denied to containers`,
    };
  },

  fixes: [
    {
      say: 'See the labels of the runtime folders and what was denied',
      risk: 'reads-only',
      steps: [
        { say: 'mode and denials', run: 'getenforce; ausearch -m avc -ts recent | tail -20', on: 'node' },
        {
          say: 'labels: container_var_lib_t for the folder, container_ro_file_t or container_share_t for layers',
          run: 'ls -Zd /var/lib/containerd /var/lib/docker /var/lib/containers /var/lib/kubelet; rpm -q container-selinux',
          on: 'node',
        },
      ],
    },
    {
      say: 'Install container-selinux and restore the labels (restorecon) of the container store',
      risk: 'touches-node',
      steps: [
        { say: 'RHEL, CentOS, Fedora', run: 'yum install -y container-selinux policycoreutils-python-utils', on: 'node', family: 'rhel' },
        {
          say: 'a store at another path: give it the labels of the usual one',
          run: 'semanage fcontext -a -e /var/lib/containerd NEW_PATH',
          on: 'node',
        },
        { say: 'write the labels', run: 'restorecon -R -v /var/lib/containerd /var/lib/kubelet NEW_PATH', on: 'node' },
        { say: 'restart the runtime', run: 'systemctl restart containerd && systemctl restart kubelet', on: 'node' },
      ],
      verified: 'containers start and ausearch shows no new denials',
    },
    {
      say: 'Only to confirm: permissive for some minutes; if it then works, labels or policy are the fault',
      risk: 'touches-node',
      steps: [{ say: 'switch, try, and switch back', run: 'setenforce 0; sleep 120; setenforce 1', on: 'node' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'opencontainers/selinux go-selinux/label',
    'opencontainers/runc libcontainer/init_linux.go',
    'container-selinux policy',
    'cri-o issue 5345; moby issue 41654',
  ],
});
