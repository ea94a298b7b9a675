import type { ContainerDraft, PodDraft, StateDraft } from './describe-pod-draft.ts';
import { someText } from './values.ts';

function kindOfState(state: StateDraft | undefined): string {
  return state?.value.split(/\s/)[0] ?? '';
}

/** Why a container ended or waits, in the words of the STATUS column. */
function reasonOf(state: StateDraft | undefined): string | undefined {
  const reason = someText(state?.fields.get('Reason'));
  if (reason !== undefined) return reason;
  if (!state || kindOfState(state) !== 'Terminated') return undefined;
  const signal = state.fields.get('Signal');
  return signal !== undefined && signal !== '0' ? `Signal:${signal}` : `ExitCode:${state.fields.get('Exit Code') ?? '?'}`;
}

function initStatus(init: readonly ContainerDraft[]): string | undefined {
  for (const [index, { state, fields }] of init.entries()) {
    const kind = kindOfState(state);
    const sidecar = fields.get('Restart Policy')?.value === 'Always';
    if (kind === 'Terminated' && state?.fields.get('Exit Code') === '0') continue;
    if (sidecar && kind === 'Running') continue;
    const reason = reasonOf(state);
    if (kind === 'Terminated' || (kind === 'Waiting' && reason !== undefined && reason !== 'PodInitializing')) return `Init:${reason}`;
    return `Init:${index}/${init.length}`;
  }
  return undefined;
}

/** The start time is set by the kubelet that takes a pod up: what is pending then are its containers, not the pod. */
function takenUp(draft: PodDraft, phase: string): string {
  return phase === 'Pending' && someText(draft.fields.get('Start Time')?.value) !== undefined ? 'ContainerCreating' : phase;
}

/**
 * What `kubectl get pods` would show as STATUS, by the same rules as its printer
 * (kubernetes pkg/printers/internalversion/printers.go, printPod).
 */
export function statusColumn(draft: PodDraft, phase: string): string {
  const reason = someText(draft.fields.get('Reason')?.value);
  const complete = draft.sections.has('Containers') && !draft.elided && draft.containers.every((container) => container.name !== undefined);
  if (reason !== undefined || !complete || !draft.containers.some((container) => container.state)) return reason ?? takenUp(draft, phase);
  const init = initStatus(draft.containers.filter((container) => container.init));
  if (init !== undefined) return init;
  const main = draft.containers.filter((container) => !container.init);
  const told = main.map((container) => (kindOfState(container.state) === 'Running' ? undefined : reasonOf(container.state)));
  const first = told.find((one) => one !== undefined) ?? phase;
  const running = main.some((container) => kindOfState(container.state) === 'Running' && container.fields.get('Ready')?.value === 'True');
  return first === 'Completed' && running ? 'Running' : first;
}
