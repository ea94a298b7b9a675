import type { EntityId } from '../../model/entity.ts';
import type { Symptom } from '../../model/facts.ts';
import type { BlockReader, Context, ReadingSink, Saying } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { isTool, nodeOf } from './command.ts';

const PHASE =
  /^\s{0,8}\[(?:init|preflight|certs|certificates|kubeconfig|kubelet-start|kubelet-check|kubelet-finalize|kubelet|control-plane|control-plane-check|control-plane-join|api-check|apiclient|etcd|check-etcd|wait-control-plane|upload-config|upload-certs|uploadconfig|download-certs|mark-control-plane|markmaster|bootstrap-token|bootstraptoken|addons|join|discovery|reset|upgrade|patches|config|check-expiration|renew|update-status|self-hosted|tlsbootstrap|validate-config|migrate)(?:\/[\w-]{1,40})?\](?:\s|$)/;
/** What is wrong stands behind the colon, or on the next line where somebody's editor broke it there. */
const ITEM = /^\s{0,8}\[(?<level>ERROR|WARNING) (?<check>[\w./-]{1,120})\]:(?: \S|\s{0,4}$)/;
const FAILED =
  /^\s{0,4}error execution phase [\w/-]{1,60}: \S|^\s{0,4}\[?(?:failure|fatal)\]?: .{0,40}preflight|^\s{0,4}couldn't initialize a Kubernetes cluster/i;
/** What kubeadm prints, as its only line, when it does not even begin. */
const NOT_BEGUN =
  /^\s{0,4}(?:error: )?(?:[Ff]ound multiple CRI (?:endpoints|sockets) on the host|this version of kubeadm only supports deploying clusters with|your configuration file uses an old API spec|unable to select an IP from (?:default routes|lo interface)|couldn't validate the identity of the API Server: |static Pod hash for component |couldn't upgrade control plane\. |nodeRegistration\.name: Invalid value|this is not a control plane node|unable to upgrade: |couldn't parse Kubernetes version )/;
const OWN =
  /^\s{0,16}(?:Unfortunately, an error has occurred:|This error is likely caused by:|To see the stack trace of this error execute with --v=5|Your Kubernetes (?:control-plane|master) has initialized successfully!|This node has joined the cluster|Here is one example how you may list all|Additionally, a control plane component may have crashed|If you are on a systemd-powered system, you can try)/;
const KLOG = /^(?<level>[IWEF])\d{4} \d\d:\d\d:\d\d\.\d{3,9}\s{1,8}\d{1,8} [\w.-]{1,80}:\d{1,6}\] (?<message>\S.*)$/;
/** Headings and sums: what they speak of stands in the lines around them. */
const EMPTY_WORDS =
  /Some fatal errors occurred|couldn't initialize a Kubernetes cluster|: timed out waiting for the condition\s*$|^\s*Unfortunately|likely caused by|one or more conditions for hosting a new control plane instance is not satisfied\.?\s*$/;

const MOST_LINES = 2000;
const MOST_OUTPUT = 40;

function startsHere(line: string): boolean {
  return PHASE.test(line) || ITEM.test(line) || FAILED.test(line) || NOT_BEGUN.test(line) || OWN.test(line);
}

/** Whether the line goes on from one of kubeadm's: indented text, a list, the rest of an error. */
function goesOn(line: string): boolean {
  return (/^(?:\t| {4})\s{0,40}\S/.test(line) && !/^\s{2,40}(?:Normal|Warning)\s{2}/.test(line)) || line.startsWith(', error: ');
}

const BROKEN = /\]:\s{0,4}$/;

interface Speech {
  readonly text: string;
  readonly first: number;
  readonly last: number;
  readonly level: NonNullable<Saying['level']>;
}

/** What a check printed may take several lines, up to `, error: exit status 1`. */
function endOfItem(lines: readonly string[], from: number): number {
  if (BROKEN.test((lines[from] ?? '').slice(0, 600))) return (lines[from + 1] ?? '').trim() === '' ? from : from + 1;
  for (let index = from + 1; index < Math.min(lines.length, from + MOST_OUTPUT); index++) {
    const line = (lines[index] ?? '').slice(0, 600);
    if (line.startsWith(', error: ')) return index;
    if (line.trim() === '' || startsHere(line)) break;
  }
  return from;
}

function levelOf(line: string): Speech['level'] {
  const item = ITEM.exec(line)?.groups?.['level'];
  // Warnings of the checks stand in the output of most clusters that work.
  if (item !== undefined) return item === 'ERROR' ? 'error' : 'info';
  if (EMPTY_WORDS.test(line)) return 'info';
  if (FAILED.test(line) || NOT_BEGUN.test(line)) return 'error';
  return /^\s{0,8}\[[\w/-]{3,60}\] (?:.{0,200}(?:failed with error: |is not healthy after |isn't running or healthy)|FATAL: |error )/.test(
    line,
  )
    ? 'error'
    : 'info';
}

function speechAt(lines: readonly string[], index: number): Speech {
  const line = (lines[index] ?? '').slice(0, 4000);
  const klog = KLOG.exec(line)?.groups;
  if (klog) {
    const level = klog['level'] === 'I' ? 'info' : klog['level'] === 'W' ? 'warning' : 'error';
    return { text: klog['message'] ?? '', first: index, last: index, level };
  }
  const last = ITEM.test(line) ? endOfItem(lines, index) : index;
  const text = lines.slice(index, last + 1).map((part) => part.slice(0, 4000).trim());
  return { text: text.join('\n').replace('\n, error: ', ', error: ').replace(']:\n', ']: '), first: index, last, level: levelOf(line) };
}

const SYMPTOMS: readonly (readonly [RegExp, Symptom])[] = [
  [
    /\[kubelet-check\] (?:It seems like the kubelet isn't running|The HTTP call equal to .{0,200} failed|The kubelet is not healthy after)/,
    'kubelet-down',
  ],
  [/\[(?:control-plane-check\] [\w-]{1,60}|api-check\] The API server) is not healthy after/, 'control-plane-down'],
  [/couldn't initialize a Kubernetes cluster|error execution phase wait-control-plane: /, 'control-plane-down'],
];

/** A kubelet that does not run is told once; that no control plane came up follows from it. */
function tellSymptoms(spoken: readonly Speech[], node: EntityId, lines: readonly string[], context: Context, sink: ReadingSink): void {
  for (const [pattern, symptom] of SYMPTOMS) {
    const speech = spoken.find(({ text }) => pattern.test(text.slice(0, 1000)));
    if (!speech) continue;
    sink.fact('node.symptom', node, { symptom, detail: 'kubeadm gave up waiting' }, citeLines(context.doc, lines, speech.first));
    return;
  }
}

function nextKnown(lines: readonly string[], from: number, command: boolean): number | undefined {
  for (let index = from; index < Math.min(lines.length, from + 3); index++) {
    const line = (lines[index] ?? '').slice(0, 4000);
    if (line.trim() === '') continue;
    return startsHere(line) || goesOn(line) || (command && KLOG.test(line)) ? index : undefined;
  }
  return undefined;
}

function read(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  if (context.channel !== undefined) return from;
  const command = isTool(context, 'kubeadm');
  const first = (lines[from] ?? '').slice(0, 4000);
  if (!startsHere(first) && !(command && KLOG.test(first))) return from;
  const node = nodeOf(context);
  const spoken: Speech[] = [];
  let next = from;
  while (next < lines.length && next < from + MOST_LINES) {
    const at = nextKnown(lines, next, command);
    if (at === undefined) break;
    const speech = speechAt(lines, at);
    spoken.push(speech);
    next = speech.last + 1;
  }
  for (const { text, first: start, last, level } of spoken) {
    sink.said({
      channel: 'kubeadm-output',
      about: node,
      text,
      cited: citeLines(context.doc, lines, start, last),
      level,
      component: 'kubeadm',
    });
  }
  tellSymptoms(spoken, node, lines, context, sink);
  const extent = command && !/\|/.test(context.command ?? '') ? 'whole' : 'excerpt';
  sink.cover({ channel: 'kubeadm-output', about: node, extent, doc: context.doc, lines: [from + 1, next] });
  return next;
}

export const kubeadmReader: BlockReader = { what: 'kubeadm output', read };
export const KUBEADM_SIGN =
  /^\s{0,16}(?:\[[a-zEW]|error exec|couldn't init|Unfort|This (?:error|node)|To see the|Your Kub|[Ff]ound multiple|this (?:version|is not)|your conf|unable to (?:select|upgrade)|couldn't|static Pod|nodeReg|error: |[IWEF]\d{4} )/;
