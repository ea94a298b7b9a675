import type { Splice } from '../edit/index.ts';
import { boundariesOf } from './boundaries.ts';
import type { EditStep, HostStep } from './host-step.ts';
import { sayStep } from './say-step.ts';
import { plain, printBytes, quote } from './shell.ts';
import { sysctlPath } from './valid.ts';

/** The part of a script that is of this fix alone: its steps, the new bytes of its files, their checks. */
export function stepsText(steps: readonly HostStep[]): string {
  return [
    'load() {',
    "  kind='' path='' before='' after='' mode='' name='' manager='' brings='' value='' at_least='' action='' units='' source='' names=''",
    '  case $1 in',
    ...steps.flatMap((step, index) => [
      ...('diff' in step ? step.diff.map((line) => `    # ${plain(line, 240)}`.trimEnd()) : []),
      `    ${index + 1})`,
      ...assignments(step).map(([key, value]) => `      ${key}=${quote(value)}`),
      '      ;;',
    ]),
    '  esac',
    '}',
    '',
    '# The new bytes of a file, from the old one.',
    caseFunction('build', steps, (step) =>
      step.kind === 'create' ? printBytes(step.text) : step.kind === 'edit' ? spliced(step) : undefined,
    ),
    '',
    '# Whether a new file is one that its program takes.',
    caseFunction('check', steps, (step) => ('check' in step ? step.check : undefined)),
    '',
    'boundaries() {',
    ...boundariesOf(steps).map((name) => `  echo ${name}`),
    '}',
  ].join('\n');
}

function caseFunction(name: string, steps: readonly HostStep[], body: (step: HostStep) => string | undefined): string {
  const cases = steps.flatMap((step, index) => {
    const text = body(step);
    return text === undefined ? [] : [`    ${index + 1})`, ...text.split('\n').map((line) => `      ${line}`), '      ;;'];
  });
  return [`${name}() {`, '  case $1 in', ...cases, '    *) : ;;', '  esac', '}'].join('\n');
}

function assignments(step: HostStep): readonly (readonly [string, string])[] {
  return [['says', plain(sayStep(step))], ...detailsOf(step)];
}

function detailsOf(step: HostStep): readonly (readonly [string, string])[] {
  switch (step.kind) {
    case 'edit':
      return [
        ['kind', 'edit'],
        ['path', step.path],
        ['before', step.shaBefore],
        ['after', step.shaAfter],
      ];
    case 'create':
      return [
        ['kind', 'create'],
        ['path', step.path],
        ['before', 'absent'],
        ['after', step.shaAfter],
        ['mode', step.mode],
      ];
    case 'remove':
      return [
        ['kind', 'remove'],
        ['path', step.path],
        ['before', step.shaBefore],
        ['after', 'absent'],
      ];
    case 'package':
      return [
        ['kind', 'package'],
        ['name', step.name],
        ['manager', step.manager],
        ['brings', step.command ?? ''],
      ];
    case 'module':
      return [
        ['kind', 'module'],
        ['name', step.name],
      ];
    case 'sysctl':
      return [
        ['kind', 'sysctl'],
        ['name', step.key],
        ['path', sysctlPath(step.key)],
        ['value', step.value],
        ['at_least', step.atLeast ? '1' : ''],
      ];
    case 'units':
      return [
        ['kind', 'units'],
        ['action', step.action],
        ['units', step.units.join(' ')],
      ];
    case 'apparmor-unload':
      return [
        ['kind', 'apparmor'],
        ['name', step.profile],
        ['source', step.source ?? ''],
      ];
    case 'kubeadm-renew':
      return [
        ['kind', 'kubeadm'],
        ['names', step.names.join(' ')],
      ];
  }
}

/** The old file's own bytes between the splices, the new ones in their places. */
function spliced(step: EditStep): string {
  const lines: string[] = [];
  let at = 0;
  for (const { from, to, text } of step.splices) {
    if (from > at) lines.push(piece(at, from));
    if (text !== '') lines.push(printBytes(text));
    at = to;
  }
  if (at < step.bytesBefore) lines.push(`tail -c +${at + 1} "$2"`);
  return lines.length === 0 ? ':' : lines.join('\n');
}

function piece(from: Splice['from'], to: Splice['to']): string {
  return from === 0 ? `head -c ${to} "$2"` : `tail -c +${from + 1} "$2" 2>/dev/null | head -c ${to - from}`;
}
