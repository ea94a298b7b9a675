import { Document, Scalar } from 'yaml';
import type { HostPlan } from './host-step.ts';
import { type AboutFix, hostScript } from './script.ts';
import { plain } from './shell.ts';

export interface AnsibleAbout extends AboutFix {
  /** So many hosts at a time after the first. */
  readonly waveSize?: number;
}

/** A pattern of Ansible may choose other hosts than it seems to: only plain names are written into one. */
const HOST = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,252}$/;

/** A playbook that runs on each host the same script as podcause itself would: one host first, then the others in waves, none after a failure. */
export function ansiblePlaybook(plans: readonly HostPlan[], about: AnsibleAbout): string {
  const odd = plans.find(({ node }) => !HOST.test(node));
  if (odd !== undefined) throw new RangeError(`a playbook cannot name the host ${plain(odd.node, 80)}`);
  const play = {
    // Unlike the scripts, a name is filled in by Ansible.
    name: plain(about.title).replace(/[{}]/g, ''),
    hosts: plans.map(({ node }) => node),
    become: true,
    gather_facts: false,
    serial: [1, Math.max(1, Math.trunc(about.waveSize ?? 1))],
    any_errors_fatal: true,
    vars: {
      podcause_mode: 'apply',
      podcause_scripts: Object.fromEntries(plans.map((plan) => [plan.node, unsafeText(hostScript(plan, about))])),
    },
    tasks: [{ name: 'The fix', when: 'not ansible_check_mode', block: TASKS, always: CLEANING }],
  };
  const document = new Document([play], { aliasDuplicateObjects: false });
  document.commentBefore = headOf(plans, about).join('\n');
  return document.toString({ lineWidth: 0 });
}

function headOf(plans: readonly HostPlan[], about: AboutFix): readonly string[] {
  return [
    ` ${plain(about.title)} (report ${plain(about.report, 80)})`,
    ' ansible-playbook -i INVENTORY THIS, with the hosts under the names of their nodes; -e podcause_mode=undo takes it back.',
    ...plans.flatMap(({ node, warnings }) => warnings.map((warning) => ` Warning, ${node}: ${plain(warning, 400)}`)),
  ];
}

/** Braces in a script are not for Ansible to fill in. */
function unsafeText(text: string): Scalar<string> {
  const scalar = new Scalar(text);
  scalar.type = Scalar.BLOCK_LITERAL;
  scalar.tag = '!unsafe';
  return scalar;
}

const FILE = '{{ podcause_file.path }}';

const TASKS = [
  {
    name: 'A place for the script',
    'ansible.builtin.tempfile': { state: 'file', prefix: 'podcause-', suffix: '.sh' },
    register: 'podcause_file',
    changed_when: false,
  },
  {
    name: 'The script of this host',
    'ansible.builtin.copy': { dest: FILE, content: '{{ podcause_scripts[inventory_hostname] }}', mode: '0700' },
    diff: false,
    changed_when: false,
  },
  {
    name: 'Change the host, or put everything back where a step fails',
    'ansible.builtin.command': { argv: ['/bin/sh', FILE, '{{ podcause_mode }}'] },
    register: 'podcause_run',
    changed_when: "'@podcause end already' not in podcause_run.stdout",
  },
];

const CLEANING = [
  {
    name: 'The script is not left behind',
    'ansible.builtin.file': { path: FILE, state: 'absent' },
    when: 'podcause_file.path is defined',
    changed_when: false,
  },
];
