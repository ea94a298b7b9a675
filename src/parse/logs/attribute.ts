import type { Channel } from '../../model/channel.ts';
import { CLUSTER, containerId, type EntityId, entityOf, nodeId, podId, THIS_NODE, UNKNOWN } from '../../model/entity.ts';
import type { Context } from '../../model/reading.ts';
import { channelOfProgram, channelOfUnit, controlPlaneProgram, LOG_CHANNELS, programOfChannel } from './channels.ts';
import { type Names, namesOf, narrowest } from './identity.ts';
import type { LogLine } from './log-line.ts';
import { programOf } from './programs.ts';

/** Who speaks in a line, on which node, and whom the line is about. */
export interface Attribution {
  readonly channel: Channel;
  readonly about: EntityId;
  /** Whose log it is: the host or the container, also where the line is about another. */
  readonly home: EntityId;
  readonly component?: string;
  /** The host the log was written on, `Node/?` where nothing names it. */
  readonly node: EntityId;
  readonly names?: Names;
}

const NO_HOST = new Set(['localhost', 'localhost.localdomain', '-', UNKNOWN]);

/** `voice` is the program the whole log points to, for lines that do not show it themselves. */
export function attribute(line: LogLine, context: Context, voice?: string): Attribution {
  const node = line.host !== undefined && !NO_HOST.has(line.host) ? nodeId(line.host) : (context.node ?? THIS_NODE);
  if (line.unit !== undefined) return onHost(line, channelOfUnit(line.unit, line), node, plainUnit(line.unit));
  const pod = line.pod === undefined ? context.pod : podId(context.namespace, line.pod);
  if (pod !== undefined && !isHostChannel(context.channel)) return inContainer(line, context, pod, node);
  const declared = context.channel !== undefined && LOG_CHANNELS.has(context.channel) ? context.channel : undefined;
  const program = programOf(line);
  if (declared !== undefined && declared !== 'container-log' && declared !== 'control-plane-log' && declared !== 'system-log') {
    return onHost(line, declared, node, context.unit === undefined ? programOfChannel(declared) : plainUnit(context.unit));
  }
  const speaker = (voice ?? program) || undefined;
  // kubectl speaks of the cluster it could not reach, not of the machine it runs on.
  if (speaker === 'kubectl' && declared === undefined)
    return { channel: 'objects', about: CLUSTER, home: CLUSTER, node, component: speaker };
  const channel = declared === 'control-plane-log' || declared === 'system-log' ? declared : channelOfProgram(speaker);
  if (channel !== undefined && channel !== 'control-plane-log' && declared !== 'container-log') return onHost(line, channel, node, speaker);
  return byProgram(line, context, channel ?? 'container-log', node, speaker);
}

function isHostChannel(channel: Channel | undefined): boolean {
  return channel !== undefined && LOG_CHANNELS.has(channel) && channel !== 'container-log' && channel !== 'control-plane-log';
}

/** A line a daemon of the host wrote: about the pod it names, else about the host. */
function onHost(line: LogLine, channel: Channel, node: EntityId, component: string | undefined): Attribution {
  const names = channel === 'system-log' ? undefined : namesOf(line);
  const about = (names && narrowest(names)) ?? node;
  return { channel, about, home: node, node, ...(component ? { component } : {}), ...(names ? { names } : {}) };
}

function inContainer(line: LogLine, context: Context, pod: EntityId, node: EntityId): Attribution {
  const program = controlPlaneProgram(entityOf(pod).name);
  const container = line.container ?? context.container ?? program ?? UNKNOWN;
  const component = container === UNKNOWN ? programOf(line) : container;
  const home = pod.startsWith('cid:') ? pod : containerId(pod, container);
  return {
    channel: program === undefined ? 'container-log' : 'control-plane-log',
    about: program === undefined ? home : (podNamed(line) ?? home),
    home,
    // Where the log was printed is not where the pod runs, so a prompt's host says nothing here.
    node: line.host === undefined ? THIS_NODE : node,
    ...(component ? { component } : {}),
  };
}

/** A container's log without the name of its pod: the program stands for the container. */
function byProgram(line: LogLine, context: Context, channel: Channel, node: EntityId, program: string | undefined): Attribution {
  const container = context.container ?? program ?? UNKNOWN;
  const home = channel === 'system-log' ? node : containerId(context.pod ?? podId(context.namespace, UNKNOWN), container);
  const about = channel === 'control-plane-log' ? (podNamed(line) ?? home) : home;
  const component = program ?? context.container ?? line.component;
  return { channel, about, home, node, ...(component ? { component } : {}) };
}

/** The scheduler and the controllers speak of pods, not of themselves, when a line has a pod for a field. */
function podNamed(line: LogLine): EntityId | undefined {
  return line.fields?.['pod'] === undefined ? undefined : namesOf(line).pod;
}

function plainUnit(unit: string): string {
  return unit.replace(/\.service$/, '').replace(/^snap\.(?:microk8s\.daemon-)?/, '');
}
