import { ByteCursor, WordTable } from './byte-cursor.ts';
import { timeOf } from './json-value.ts';

const POD_KEYS = new WordTable('apiVersion', 'kind', 'metadata', 'spec', 'status');
const METADATA_KEYS = new WordTable('name', 'namespace', 'creationTimestamp', 'deletionTimestamp', 'ownerReferences');
const OWNER_KEYS = new WordTable('controller', 'kind', 'name');
const SPEC_KEYS = new WordTable('containers', 'initContainers', 'nodeName');
const SIDECAR_KEYS = new WordTable('restartPolicy');
const STATUS_KEYS = new WordTable(
  'phase',
  'reason',
  'conditions',
  'containerStatuses',
  'initContainerStatuses',
  'ephemeralContainerStatuses',
);
const CONDITION_KEYS = new WordTable('type', 'status', 'reason', 'lastTransitionTime');
const CONTAINER_KEYS = new WordTable('ready', 'restartCount', 'state', 'lastState');
const STATE_KEYS = new WordTable('running', 'terminated');
const RUN_KEYS = new WordTable('startedAt', 'finishedAt', 'exitCode');

const POD = new WordTable('Pod');
const VERSION = new WordTable('v1');
const RUNNING = new WordTable('Running');
const YES = new WordTable('True');
const TRUE = new WordTable('true');
const ZERO = new WordTable('0');
const GATED = new WordTable('SchedulingGated');
const TROUBLE = new WordTable('DisruptionTarget', 'PodResizePending', 'PodResizeInProgress');

const TIME_LENGTH = '2025-01-01T00:00:00Z'.length;

/**
 * What a list keeps of a healthy pod, read off its bytes: parsing thousands of pods, most of them well, would cost more than
 * all the rest. Only what is plainly well is taken; every other pod is left to the parser.
 */
export class PodSkim {
  name = '';
  namespace = '';
  node = '';
  ownerKind = '';
  /** Empty when nothing controls the pod. */
  ownerName = '';
  containers = 0;
  /** The newest time stamp in the pod, or the one given when none is newer. */
  newest = '';
  private readonly cursor = new ByteCursor();
  private ready = 0;
  private kind = '';
  private phase = '';
  /** One bit for each part seen: when a key comes twice, the last one would count. */
  private seen = 0;

  /** Index after the pod that opens at `from`; -1 when it must be parsed. `typed` items need not say that they are pods. */
  read(bytes: Buffer, from: number, end: number, typed: boolean, newest: string): number {
    const { cursor } = this;
    cursor.begin(bytes, from, end);
    this.newest = newest;
    this.name = '';
    this.kind = typed ? 'Pod' : '';
    this.phase = '';
    this.containers = 0;
    this.ready = 0;
    this.seen = 0;
    this.readPod();
    if (cursor.broken || cursor.at > end || this.kind === '' || this.phase === '' || this.name === '') return -1;
    if (this.ready === 0 || this.ready !== this.containers) return -1;
    return this.newest === newest || timeOf(this.newest) !== undefined ? cursor.at : -1;
  }

  private readPod(): void {
    const { cursor } = this;
    for (let more = cursor.firstKey(); more; more = cursor.nextKey()) {
      switch (cursor.among(POD_KEYS)) {
        case 'apiVersion':
          this.expect(cursor.wordAmong(VERSION));
          break;
        case 'kind':
          this.kind = this.expect(cursor.wordAmong(POD));
          break;
        case 'metadata':
          this.once(1);
          this.readMetadata();
          break;
        case 'spec':
          this.once(2);
          this.readSpec();
          break;
        case 'status':
          this.once(4);
          this.readStatus();
          break;
        default:
          cursor.fail();
      }
    }
  }

  private expect(word: string): string {
    if (word === '') this.cursor.fail();
    return word;
  }

  private once(bit: number): void {
    if ((this.seen & bit) !== 0) this.cursor.fail();
    this.seen |= bit;
  }

  private readMetadata(): void {
    const { cursor } = this;
    this.namespace = '';
    this.ownerName = '';
    for (let more = cursor.firstKey(); more; more = cursor.nextKey()) {
      switch (cursor.among(METADATA_KEYS)) {
        case 'name':
          this.name = cursor.text();
          break;
        case 'namespace':
          this.namespace = cursor.text();
          break;
        case 'creationTimestamp':
          this.once(8);
          this.readTime();
          break;
        case 'ownerReferences':
          this.once(16);
          for (let item = cursor.firstItem(); item; item = cursor.nextItem()) this.readOwner();
          break;
        case 'deletionTimestamp':
          cursor.fail();
          break;
        default:
          cursor.skip();
      }
    }
  }

  /** The first controller counts; a mirror pod is owned by its Node, which is no workload. */
  private readOwner(): void {
    const { cursor } = this;
    let [kind, name, controls] = ['', '', false];
    for (let more = cursor.firstKey(); more; more = cursor.nextKey()) {
      switch (cursor.among(OWNER_KEYS)) {
        case 'controller':
          controls = cursor.literalAmong(TRUE) !== '';
          break;
        case 'kind':
          kind = cursor.text();
          break;
        case 'name':
          name = cursor.text();
          break;
        default:
          cursor.skip();
      }
    }
    if (this.ownerName !== '' || !controls || kind === '' || kind === 'Node') return;
    this.ownerKind = kind;
    this.ownerName = name;
  }

  private readSpec(): void {
    const { cursor } = this;
    this.node = '';
    for (let more = cursor.firstKey(); more; more = cursor.nextKey()) {
      switch (cursor.among(SPEC_KEYS)) {
        case 'containers':
          this.once(32);
          for (let item = cursor.firstItem(); item; item = cursor.nextItem()) {
            this.containers++;
            cursor.skip();
          }
          break;
        case 'initContainers':
          for (let item = cursor.firstItem(); item; item = cursor.nextItem()) this.readInitContainer();
          break;
        case 'nodeName':
          this.node = cursor.text();
          break;
        default:
          cursor.skip();
      }
    }
  }

  /** A restart policy of its own may make an init container a sidecar, which counts as a container. */
  private readInitContainer(): void {
    const { cursor } = this;
    for (let more = cursor.firstKey(); more; more = cursor.nextKey()) {
      if (cursor.among(SIDECAR_KEYS) === '') cursor.skip();
      else cursor.fail();
    }
  }

  private readStatus(): void {
    const { cursor } = this;
    for (let more = cursor.firstKey(); more; more = cursor.nextKey()) {
      switch (cursor.among(STATUS_KEYS)) {
        case 'phase':
          this.phase = this.expect(cursor.wordAmong(RUNNING));
          break;
        case 'conditions':
          this.once(64);
          for (let item = cursor.firstItem(); item; item = cursor.nextItem()) this.readCondition();
          break;
        case 'containerStatuses':
          this.once(128);
          for (let item = cursor.firstItem(); item; item = cursor.nextItem()) this.readContainer('running');
          break;
        case 'initContainerStatuses':
          this.once(256);
          for (let item = cursor.firstItem(); item; item = cursor.nextItem()) this.readContainer('terminated');
          break;
        case '':
          cursor.skip();
          break;
        default:
          cursor.fail();
      }
    }
  }

  private readCondition(): void {
    const { cursor } = this;
    for (let more = cursor.firstKey(); more; more = cursor.nextKey()) {
      switch (cursor.among(CONDITION_KEYS)) {
        case 'status':
          this.expect(cursor.wordAmong(YES));
          break;
        case 'type':
          if (cursor.wordAmong(TROUBLE) !== '') cursor.fail();
          break;
        case 'reason':
          if (cursor.wordAmong(GATED) !== '') cursor.fail();
          break;
        case 'lastTransitionTime':
          this.readTime();
          break;
        default:
          cursor.skip();
      }
    }
  }

  /** A container that runs and never ended, or an init container that did its part. */
  private readContainer(wanted: 'running' | 'terminated'): void {
    const { cursor } = this;
    const init = wanted === 'terminated';
    let ready = init;
    let reached = false;
    for (let more = cursor.firstKey(); more; more = cursor.nextKey()) {
      switch (cursor.among(CONTAINER_KEYS)) {
        case 'state':
          reached = this.readState(wanted);
          break;
        case 'lastState':
          if (cursor.firstKey()) cursor.fail();
          break;
        case 'ready':
          if (init) cursor.skip();
          else ready = this.expect(cursor.literalAmong(TRUE)) !== '';
          break;
        case 'restartCount':
          if (init) cursor.skip();
          else this.expect(cursor.literalAmong(ZERO));
          break;
        default:
          cursor.skip();
      }
    }
    if (!ready || !reached) cursor.fail();
    if (!init) this.ready++;
  }

  private readState(wanted: 'running' | 'terminated'): boolean {
    const { cursor } = this;
    let reached = false;
    for (let more = cursor.firstKey(); more; more = cursor.nextKey()) {
      reached = cursor.among(STATE_KEYS) === wanted;
      if (reached) this.readRun(wanted === 'running' ? 'startedAt' : 'finishedAt');
      else cursor.fail();
    }
    return reached;
  }

  private readRun(time: 'startedAt' | 'finishedAt'): void {
    const { cursor } = this;
    for (let more = cursor.firstKey(); more; more = cursor.nextKey()) {
      const key = cursor.among(RUN_KEYS);
      if (key === time) this.readTime();
      else if (key === 'exitCode') this.expect(cursor.literalAmong(ZERO));
      else cursor.skip();
    }
  }

  /** Only time stamps as the API server writes them compare as text. */
  private readTime(): void {
    const { cursor } = this;
    if (!cursor.isString()) {
      cursor.skip();
      return;
    }
    this.newest = cursor.later(this.newest);
    if (cursor.length !== TIME_LENGTH) cursor.fail();
  }
}
