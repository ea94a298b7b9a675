import { createHash } from 'node:crypto';
import { type Edited, editInTurn, unifiedDiff } from '../edit/index.ts';
import type { HostFile, HostState } from './host-state.ts';
import type { Check, CreateStep, EditStep } from './host-step.ts';
import { valid } from './valid.ts';

/** One change of one file; those of the same file are made in turn. */
export interface FileEdit {
  readonly path: string;
  /** What a file that is not there is taken for. */
  readonly absent: string | { readonly why: string };
  readonly edit: (text: string) => Edited;
  readonly checks: readonly Check[];
}

export type FilePlanned =
  | { readonly step?: EditStep | CreateStep; readonly notes: readonly string[]; readonly file: HostFile | undefined }
  | { readonly why: string };

const MODE = '644';

/** Made anew at each start, from a template beside it. */
const GENERATED = /^\/var\/lib\/rancher\//;

export function planFile(edits: readonly [FileEdit, ...FileEdit[]], state: HostState): FilePlanned {
  const [{ path, absent }] = edits;
  const unread = state.unread.get(path);
  if (unread !== undefined) return { why: `${path} could not be read: ${unread}` };
  const file = state.files.get(path);
  if (file === undefined && typeof absent !== 'string') return absent;
  const refusal = refusalOf(path, file);
  if (refusal !== undefined) return { why: refusal };
  const before = file?.text ?? (typeof absent === 'string' ? absent : '');
  const edited = editInTurn(
    before,
    edits.map(({ edit }) => edit),
  );
  if (!edited.ok) return { why: `${path}: ${edited.why}` };
  const notes = (edited.notes ?? []).map((note) => `${path}: ${note}`);
  if (edited.splices.length === 0) return { notes: [], file };
  const common = {
    shaAfter: sha256(edited.after),
    diff: unifiedDiff(path, file?.text ?? '', edited.after),
    ...checkOf(edits),
  };
  if (file === undefined) return { step: { kind: 'create', path, mode: MODE, text: edited.after, ...common }, notes, file };
  const bytesBefore = Buffer.byteLength(file.text, 'utf8');
  return {
    step: { kind: 'edit', path: file.real, shaBefore: file.sha256, splices: edited.splices, bytesBefore, ...common },
    notes,
    file,
  };
}

function refusalOf(path: string, file: HostFile | undefined): string | undefined {
  const real = file?.real ?? path;
  if (!valid.config(path) || !valid.config(real)) return `${path} is no place where podcause writes`;
  return GENERATED.test(real) ? `${path} is made anew at each start: change the template it is made from` : undefined;
}

function checkOf(edits: readonly FileEdit[]): { readonly check?: Check } {
  const checks = [...new Set(edits.flatMap(({ checks: own }) => own))];
  return checks.length > 0 ? { check: checks.join(' && ') } : {};
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
