import { type EntityId, entityOf, nodeId, podId, UNKNOWN, workloadId } from '../../model/entity.ts';
import type { FactKinds } from '../../model/facts.ts';
import type { Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { parseDuration } from './ages.ts';
import { emitContainer, startedAgo } from './describe-container-facts.ts';
import type { PodDraft, VolumeDraft } from './describe-pod-draft.ts';
import { podNamedBy, UNKNOWN_POD } from './event-facts.ts';
import { emitBlock } from './events-reader.ts';
import { kindOf } from './kinds.ts';
import { isName } from './lines.ts';
import { statusColumn } from './pod-column.ts';
import { podOf, type Scope } from './scope.ts';
import { isNone, someText, wholeNumber } from './values.ts';

const TERMINATING = /^Terminating(?:\s+\((?:lasts (?<lasts>\S{1,30})|[^)]{0,100})\))?/;

function podIn(draft: PodDraft, context: Context, scope: Scope): EntityId {
  const name = someText(draft.fields.get('Name')?.value);
  const asked = podOf(context, scope);
  if (name === undefined) return podNamedBy(draft.events?.rows ?? [], scope.namespace) ?? asked ?? UNKNOWN_POD;
  const before = asked !== undefined && entityOf(asked).name === name ? entityOf(asked).namespace : undefined;
  const known = before === UNKNOWN ? undefined : before;
  return podId(someText(draft.fields.get('Namespace')?.value) ?? known ?? scope.namespace, name);
}

/** Counts as `kubectl get pods` shows them, where every container was seen. */
function countsOf(draft: PodDraft): Partial<FactKinds['pod.status']> {
  const main = draft.containers.filter((container) => !container.init);
  if (draft.elided || main.length === 0 || !main.every((container) => container.fields.has('Ready'))) return {};
  const restarts = draft.containers.map((container) => wholeNumber(container.fields.get('Restart Count')?.value));
  return {
    readyContainers: main.filter((container) => container.fields.get('Ready')?.value === 'True').length,
    containers: main.length,
    ...(restarts.every((count) => count !== undefined) ? { restarts: restarts.reduce((sum, count) => sum + count, 0) } : {}),
  };
}

function emitStatus(draft: PodDraft, pod: EntityId, lines: readonly string[], context: Context, sink: ReadingSink): void {
  const status = draft.fields.get('Status');
  const phase = someText(status?.value);
  if (!status || phase === undefined) return;
  const cited = citeLines(context.doc, lines, status.line);
  const terminating = TERMINATING.exec(phase);
  const counts = draft.sections.has('Containers') ? countsOf(draft) : {};
  if (terminating) {
    sink.fact('pod.status', pod, { status: 'Terminating', ...counts }, cited);
    const lasts = terminating.groups?.['lasts'] ?? '';
    const sinceSeconds = parseDuration(lasts);
    const graceSeconds = parseDuration(draft.fields.get('Termination Grace Period')?.value ?? '');
    const deleting = {
      ...(sinceSeconds !== undefined ? { sinceSeconds } : {}),
      ...(graceSeconds !== undefined ? { graceSeconds } : {}),
      // kubectl counts from the deadline, and prints this for a time to come.
      ...(lasts === '<invalid>' ? { inGrace: true as const } : {}),
    };
    sink.fact('pod.deleting', pod, deleting, cited);
  } else sink.fact('pod.status', pod, { status: statusColumn(draft, phase), phase, ...counts }, cited);
  const message = draft.fields.get('Message');
  if (message && !isNone(message.value)) {
    sink.said({ channel: 'pod-status', about: pod, text: message.value, cited: citeLines(context.doc, lines, message.line) });
  }
}

function emitPlace(draft: PodDraft, pod: EntityId, lines: readonly string[], context: Context, sink: ReadingSink): void {
  const [node = '', address] = (someText(draft.fields.get('Node')?.value) ?? '').split('/', 2);
  if (isName(node)) sink.edge({ type: 'runs-on', pod, node: nodeId(node) });
  const [kind, owner] = (draft.fields.get('Controlled By')?.value ?? '').split('/', 2);
  const controller = kind ? (kindOf(kind) ?? kind) : undefined;
  if (controller && owner && controller !== 'Node') {
    sink.edge({ type: 'owned-by', pod, workload: workloadId(controller, entityOf(pod).namespace, owner) });
  }
  const ip = draft.fields.get('IP');
  if (ip && address && ip.value === address)
    sink.fact('pod.host-network', pod, { hostNetwork: true }, citeLines(context.doc, lines, ip.line));
}

function emitSettings(draft: PodDraft, pod: EntityId, lines: readonly string[], context: Context, sink: ReadingSink): void {
  const cite = (line: number) => citeLines(context.doc, lines, line);
  const runtimeClass = draft.fields.get('Runtime Class Name');
  if (runtimeClass && !isNone(runtimeClass.value))
    sink.fact('pod.runtime-class', pod, { name: runtimeClass.value }, cite(runtimeClass.line));
  const policy = draft.fields.get('Restart Policy') ?? draft.fields.get('RestartPolicy');
  if (policy && !isNone(policy.value)) sink.fact('pod.restart-policy', pod, { policy: policy.value }, cite(policy.line));
  const nodeName = someText(draft.fields.get('Node')?.value)?.split('/')[0];
  const line = draft.nodeSelectors[0]?.line ?? draft.tolerations[0]?.line ?? draft.fields.get('Node')?.line;
  if (line === undefined || (draft.nodeSelectors.length + draft.tolerations.length === 0 && !nodeName)) return;
  const selectors = draft.nodeSelectors.map(
    ({ value }) => [value.slice(0, value.indexOf('=')), value.slice(value.indexOf('=') + 1)] as const,
  );
  const scheduling = {
    ...(selectors.length > 0 ? { nodeSelector: Object.fromEntries(selectors.filter(([key]) => key !== '')) } : {}),
    ...(draft.tolerations.length > 0 ? { tolerations: draft.tolerations.map(({ value }) => value) } : {}),
    ...(nodeName ? { nodeName } : {}),
  };
  sink.fact('pod.scheduling', pod, scheduling, cite(line));
}

function volumeOf({ name, fields }: VolumeDraft): FactKinds['pod.volume'] | undefined {
  const type = /^[A-Za-z]{1,40}/.exec(fields.get('Type') ?? '')?.[0];
  if (type === undefined) return undefined;
  const path = someText(fields.get('Path'));
  if (type === 'HostPath') return { name, type, ...(path !== undefined ? { hostPath: path, source: path } : {}) };
  const key = ['ClaimName', 'SecretName', 'ConfigMapName', 'Name', 'Driver', 'Server', 'VolumeID', 'DiskName'].find((candidate) =>
    someText(fields.get(candidate)),
  );
  const own = key === undefined ? undefined : fields.get(key);
  const source = key === 'Server' && path !== undefined ? `${own}:${path}` : own;
  return { name, type, ...(source !== undefined ? { source } : {}) };
}

function emitCoverage(draft: PodDraft, pod: EntityId, context: Context, scope: Scope, sink: ReadingSink): void {
  const ended = draft.events !== undefined || draft.noEvents !== undefined || draft.sections.has('QoS Class');
  const whole = draft.fields.has('Name') && draft.sections.has('Containers') && ended && !draft.elided && !scope.command?.piped;
  const extent = whole ? 'whole' : 'excerpt';
  const lines = [draft.first + 1, draft.next] as const;
  for (const channel of ['pod-status', 'pod-spec'] as const) sink.cover({ channel, about: pod, extent, doc: context.doc, lines });
  if (draft.noEvents === undefined) return;
  // A pod that was placed had a Scheduled event once: an empty list then means that they have expired.
  const placed = !isNone(draft.fields.get('Node')?.value) || draft.containers.some((container) => container.state?.fields.has('Started'));
  sink.cover({
    channel: 'pod-events',
    about: pod,
    extent: placed ? 'expired' : 'whole',
    doc: context.doc,
    lines: [draft.noEvents + 1, draft.noEvents + 1],
  });
}

/** Turns a pod's description into facts. */
export function emitPod(draft: PodDraft, lines: readonly string[], context: Context, scope: Scope, sink: ReadingSink): void {
  const pod = podIn(draft, context, scope);
  emitStatus(draft, pod, lines, context, sink);
  emitPlace(draft, pod, lines, context, sink);
  emitSettings(draft, pod, lines, context, sink);
  const started = startedAgo(draft.events?.rows ?? []);
  for (const container of draft.containers) emitContainer(container, { pod, lines, context, sink, started });
  for (const { line, type, status } of draft.conditions)
    sink.fact('pod.condition', pod, { type, status }, citeLines(context.doc, lines, line));
  for (const volume of draft.volumes) {
    const payload = volumeOf(volume);
    if (payload) sink.fact('pod.volume', pod, payload, citeLines(context.doc, lines, volume.line, volume.last));
  }
  if (draft.events)
    emitBlock(draft.events, { subject: { about: pod, kind: 'Pod' }, certain: draft.fields.has('Name') }, lines, context, scope, sink);
  emitCoverage(draft, pod, context, scope, sink);
}
