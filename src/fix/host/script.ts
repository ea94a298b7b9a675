import { createHash } from 'node:crypto';
import { isFixId } from './encoded.ts';
import type { HostPlan } from './host-step.ts';
import { BACK } from './shell/back.ts';
import { BASE, JOURNAL, LOCK } from './shell/base.ts';
import { CHECKS } from './shell/checks.ts';
import { FILES } from './shell/files.ts';
import { KUBEADM } from './shell/kubeadm.ts';
import { MAIN } from './shell/main.ts';
import { STEPS } from './shell/steps.ts';
import { SYSTEM } from './shell/system.ts';
import { UNITS } from './shell/units.ts';
import { plain, quote } from './shell.ts';
import { stepsText } from './steps-text.ts';

export interface AboutFix {
  /** Names the journal's folder: small letters, digits and dashes. */
  readonly id: string;
  readonly title: string;
  readonly report: string;
  readonly who: string;
  readonly healthSeconds?: number;
}

const END = 'PODCAUSE_PROGRAM';
const LEAST_KILOBYTES = 50 * 1024;

/**
 * The one way in which a host is changed: `sh SCRIPT` applies or resumes, `sh SCRIPT undo [force]` takes back, `status` and `boundaries`
 * only tell. It is read to its end before anything runs, so it may come through a pipe, and it keeps a copy of itself in the journal.
 */
export function hostScript(plan: HostPlan, about: AboutFix): string {
  if (!isFixId(about.id)) throw new RangeError('a fix is named by small letters, digits and dashes');
  return [
    '#!/bin/sh',
    ...headLines(plan, about).map((line) => `# ${plain(line)}`.trimEnd()),
    'podcause_program() {',
    `  cat <<'${END}'`,
    program(plan, about),
    END,
    '}',
    'eval "$(podcause_program)"',
    '',
  ].join('\n');
}

function headLines(plan: HostPlan, about: AboutFix): readonly string[] {
  return [
    `${about.title} (host ${plan.node}, report ${about.report})`,
    'Usage: sh THIS [apply | undo [force] | status | boundaries], as root. Safe to run twice; after a power cut run it again, or undo.',
    ...plan.warnings.map((warning) => `Warning: ${warning}`),
  ];
}

function program(plan: HostPlan, about: AboutFix): string {
  const parts = plan.steps.some(({ kind }) => kind === 'kubeadm-renew') ? [KUBEADM] : [];
  return [
    '#!/bin/sh',
    ...headLines(plan, about).map((line) => `# ${plain(line)}`.trimEnd()),
    `id=${quote(about.id)}`,
    `title=${quote(plain(about.title))}`,
    `report=${quote(plain(about.report, 80))}`,
    `who=${quote(plain(about.who, 80))}`,
    `plan=${digestOf(JSON.stringify(plan.steps))}`,
    `count=${plan.steps.length}`,
    `health_seconds=${Math.min(Math.max(Math.trunc(about.healthSeconds ?? 60), 5), 600)}`,
    `need_kilobytes=${neededKilobytes(plan)}`,
    `containerd_socket=${quote(plan.health.containerdSocket)}`,
    `kubelet_config=${quote(plan.health.kubeletConfig)}`,
    '',
    stepsText(plan.steps),
    ...[BASE, LOCK, JOURNAL, CHECKS, FILES, UNITS, SYSTEM, ...parts, STEPS, BACK, MAIN].map((part) => part.trimEnd()),
    '',
    'main "$@" </dev/null',
  ].join('\n');
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function neededKilobytes(plan: Pick<HostPlan, 'steps'>): number {
  const bytes = plan.steps.reduce((sum, step) => sum + (step.kind === 'edit' ? step.bytesBefore : 0), 0);
  return Math.max(LEAST_KILOBYTES, Math.ceil((2 * bytes) / 1024));
}
