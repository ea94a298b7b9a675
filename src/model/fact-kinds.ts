import type { Channel } from './channel.ts';
import type { EntityId } from './entity.ts';
import type { HostFactKinds } from './host-fact-kinds.ts';

export type CgroupDriver = 'systemd' | 'cgroupfs';
export type Runtime = 'containerd' | 'docker' | 'crio';

/** What users see; every symptom must end explained or openly unexplained. */
export type Symptom =
  | 'crash-loop' // a container ends and is restarted again and again
  | 'restarts' // restarting lately, running at this moment
  | 'pending' // no node yet
  | 'creating' // on a node, no container started: ContainerCreating, sandbox, volumes
  | 'init-stuck' // an init container does not finish
  | 'init-crash' // an init container ends with an error
  | 'image-pull'
  | 'config-error' // CreateContainerConfigError and the like
  | 'create-error' // CreateContainerError, RunContainerError, StartError
  | 'oom'
  | 'evicted'
  | 'failed' // ended in failure, not restarted
  | 'not-ready' // running, but not ready
  | 'stuck-terminating'
  | 'no-pods' // the controller cannot create pods at all
  | 'node-not-ready'
  | 'kubelet-down'
  | 'runtime-down'
  | 'control-plane-down'
  | 'volume-pending' // a claim does not bind
  | 'other-trouble'; // an error somebody pasted without a pod, node or daemon to hang it on

export type KilledBy =
  | 'stop' // "Stopping container": ordered by the kubelet, no reason given
  | 'liveness-probe'
  | 'startup-probe'
  | 'definition-changed'
  | 'hook'
  | 'unknown-state';

export interface EventPayload {
  readonly type: 'Normal' | 'Warning' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  /** How often it was counted; 1 where nothing is said. */
  readonly count: number;
  /** Seconds before the evidence was taken: last and first occurrence. */
  readonly lastAgo?: number;
  readonly firstAgo?: number;
  readonly from?: string;
  readonly container?: string;
  readonly killedBy?: KilledBy;
}

/**
 * Every kind of fact, with its payload. A kind is `subject.state`; `about` in ABOUT names the entity kind it belongs to.
 * Facts are positive: "no limit" is the absence of `container.memory-limit` where coverage says the spec was read.
 */
export interface FactKinds extends HostFactKinds {
  // pods
  'pod.status': {
    /** The STATUS column or its equivalent, e.g. `Init:0/3`, `CrashLoopBackOff`, `Running`. */
    status: string;
    readyContainers?: number;
    containers?: number;
    restarts?: number;
    /** Seconds since the last restart, where the listing says so. */
    lastRestartAgo?: number;
    ageSeconds?: number;
    /** By the clock of whoever asked, it was made in the future. */
    readonly future?: true;
    phase?: string;
  };
  'pod.condition': { type: string; status: string; reason?: string; message?: string };
  'pod.host-network': { hostNetwork: true };
  'pod.deleting': {
    /** Since the deadline of the deletion passed. */
    sinceSeconds?: number;
    graceSeconds?: number;
    /** The deadline still lies ahead: its containers may take that long. */
    inGrace?: true;
    finalizers?: readonly string[];
  };
  'pod.runtime-class': { name: string };
  'pod.restart-policy': { policy: string };
  'pod.event': EventPayload;
  /** As `kubectl top` shows it. */
  'pod.usage': { cpuMillis: number; memoryBytes: number; container?: string };
  'pod.volume': { name: string; type: string; source?: string; mountPropagation?: string; hostPath?: string };
  'pod.scheduling': {
    nodeSelector?: Readonly<Record<string, string>>;
    tolerations?: readonly string[];
    schedulerName?: string;
    nodeName?: string;
  };

  // containers
  'container.spec': { image: string; init: boolean; index: number; command?: string; args?: string };
  'container.waiting': { reason: string; message?: string };
  'container.running': { startedAt?: number; forSeconds?: number; ready?: boolean; init?: boolean };
  'container.terminated': {
    reason?: string;
    exitCode?: number;
    signal?: number;
    message?: string;
    startedAt?: number;
    finishedAt?: number;
    ranSeconds?: number;
    /** `last` is the run before the current state. */
    which: 'current' | 'last';
    init?: boolean;
  };
  'container.restarts': { count: number };
  'container.memory-limit': { bytes: number };
  'container.probe': {
    probe: 'liveness' | 'readiness' | 'startup';
    text: string;
    delay?: number;
    timeout?: number;
    period?: number;
    failures?: number;
  };
  'container.security': { runAsUser?: number; runAsNonRoot?: boolean; privileged?: boolean; readOnlyRoot?: boolean };
  /** How a container's log ends, where one was given: its last words, in order. */
  'container.last-words': { lines: readonly string[]; clean: boolean; level?: string };
  'container.cgroup-path': {
    path: string;
    /** `colon`: systemd-style string taken literally; `scope`: systemd driver; `cgroupfs`: cgroupfs driver. */
    shape: 'colon' | 'scope' | 'cgroupfs' | 'other';
    cgroupVersion?: 1 | 2;
  };
  /** What the runtime itself lists (crictl ps, docker ps, ctr). */
  'container.runtime-state': { id: string; state: string; by: 'crictl' | 'docker' | 'ctr'; sinceText?: string; attempt?: number };

  // workloads and other objects
  'workload.replicas': { desired?: number; ready?: number; available?: number; updated?: number; current?: number; ageSeconds?: number };
  'workload.condition': { type: string; status: string; reason?: string; message?: string };
  'object.exists': { type: string };
  'object.event': EventPayload;
  /** Another object of its namespace that it names. */
  'object.refers': { type: string; name: string; port?: string };
  'service.selector': { labels: Readonly<Record<string, string>>; ports: readonly string[] };
  /** Of a pod, or of the template of a workload. */
  'pod.labels': { labels: Readonly<Record<string, string>> };
  /** `asked`: somebody asked for this one by name. */
  'object.status': { status: string; detail?: string; ageSeconds?: number; asked?: true };
  /** Asked for by name and not there; with `every` a whole listing of its namespace or the cluster was empty. */
  'object.missing': { type: string; every?: true };
  /** An answer of `kubectl auth can-i`. */
  'object.right': { verb: string; resource: string; allowed: boolean; who?: string };

  // nodes
  'node.condition': { type: string; status: string; reason?: string; message?: string };
  'node.status': { status: string; roles?: string; ageSeconds?: number };
  'node.event': EventPayload;
  'node.info': {
    kubeletVersion?: string;
    runtime?: string;
    runtimeVersion?: string;
    osImage?: string;
    kernel?: string;
    architecture?: string;
    bootId?: string;
  };
  'node.taint': { key: string; effect: string; value?: string };
  /** As `kubectl top` shows it; `unknown` where the metrics server had no answer. Shares of 1. */
  'node.usage': { cpuMillis?: number; cpuShare?: number; memoryBytes?: number; memoryShare?: number; unknown?: true };
  /** A graphics card as nvidia-smi shows it. */
  'host.gpu': { index: number; name?: string; state: 'ok' | 'error'; memoryShare?: number; eccErrors?: number };
  'kubelet.cgroup-driver': { driver: CgroupDriver; source: 'file' | 'flag' | 'configz' | 'log' | 'cri' | 'said' };
  /** How the kubelet answers when it is asked for its health; `no-answer`: nothing came back in time, or no way there. */
  'kubelet.health': { answer: 'well' | 'unwell' | 'refused' | 'no-answer'; failing?: string };
  'kubelet.setting': { key: string; value: string; source: 'file' | 'flag' | 'log' };
  'runtime.cgroup-driver': {
    runtime: Runtime;
    driver: CgroupDriver;
    /** Runtime handler (runc, nvidia, …) where the configuration names one. */
    handler?: string;
    /** False when it follows from a default, not from a written key. */
    explicit: boolean;
    /** `effective`: dump, info, CRI status; `file`: what a file says. */
    source: 'file' | 'effective' | 'said';
    configVersion?: number;
    /** Set when the key stands where this config version does not look. */
    ignored?: boolean;
  };
  'runtime.setting': { runtime: Runtime; key: string; value: string; source: 'file' | 'effective' | 'log' };
  'runtime.config-file': { runtime: Runtime; version?: number; problem?: string };

  // lines
  /** A line some cause declared, seen. `fields` are the named groups of its pattern. */
  'log.signature': {
    line: string;
    channel: Channel;
    /** The program that says it, where programs of a node share a journal. */
    by?: string;
    fields: Readonly<Record<string, string>>;
    count: number;
    first?: number;
    last?: number;
  };
  /** Any error-like line, for the answers outside the catalogue. */
  'log.error': {
    level: 'fatal' | 'error' | 'warning';
    component: string;
    /** The message without time stamp and prefix. */
    message: string;
    /** Innermost link of a wrapped error. */
    innermost: string;
    count: number;
    /** Position in its log: the last words before an exit weigh more. */
    last: boolean;
    channel: Channel;
    /** The failing thing speaks for itself (its own log), not what runs it. */
    ownVoice: boolean;
  };

  // derived
  'pod.symptom': SymptomPayload;
  'node.symptom': SymptomPayload;
  'object.symptom': SymptomPayload;
  /** Stopped by order of the kubelet again and again, sandbox and all, without any error event. */
  'pod.silent-stops': { kills: number; sandboxChanges: number; overSeconds?: number };
  /** One burst of sandbox changes or restarts, quiet since. */
  'pod.one-burst': { agoSeconds: number };
  /** Several unrelated workloads on one node restart or are being stopped. */
  'node.unrelated-restarts': { pods: readonly EntityId[]; workloads: number };
  /** A container said to run although nothing has happened to it for long. */
  'container.hangs': { forSeconds: number; init: boolean; startDelaySeconds?: number; laterWaiting: readonly string[] };
  'container.restart-cadence': { everySeconds: number; capped: boolean };
  /** Versions or a log line show that the kubelet takes the cgroup driver from the runtime, so the two cannot differ. */
  'node.driver-follows-runtime': { how: 'versions' | 'log' };
  /** The kubelet runs its pods by Docker: what containerd's CRI plugin would do does not matter on this node. */
  'node.docker-runtime': { version?: string };
  /** One refusal of the scheduler, reason by reason: from an event, a condition, or a line whose pattern names a group `refusal`. */
  'pod.unschedulable': {
    /** How many nodes it counted, where it says so. */
    nodes?: number;
    /** `leads`: no other reason holds back more nodes; the usual taint of control planes and nodes the pod did not choose left aside. */
    reasons: readonly { readonly count: number; readonly text: string; readonly leads: boolean }[];
    /** Speaks of the present: a pod that still waits is tried again within minutes. */
    recent: boolean;
  };
  /** How a probe of the pod fails: from events, or a line whose pattern names the groups `probe` and `unhealthy`. */
  'pod.probe-failure': {
    probe: 'liveness' | 'readiness' | 'startup';
    /** In a few words, e.g. `connection refused`, `HTTP 503`. */
    failure: string;
    /** What is asked: `:8080/healthz`, `:5432`, or a command. */
    target?: string;
    container?: string;
  };
  /** It names an object that is not among those shown; some of that kind in its namespace are. */
  'object.dangling': { type: string; name: string; others: readonly string[] };
  /** No pod label shown in the namespace fits the selector; `near` differs in some labels only. */
  'service.selects-nothing': { wants: string; near?: string; nearOwner?: string };
  /** Ran to the end well; no trouble. */
  'pod.completed': { ok: true };
  /** A past trouble that has ended: told as history. */
  'pod.history': { restarts: number; lastRestartAgo?: number };
}

export interface SymptomPayload {
  readonly symptom: Symptom;
  /** The container it shows on, where one is known. */
  readonly container?: string;
  readonly detail?: string;
}
