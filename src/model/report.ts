import type { Area, Risk } from './cause.ts';
import type { Change } from './change.ts';
import type { Channel, Extent } from './channel.ts';
import type { Citation } from './citation.ts';
import type { Unread } from './document.ts';
import type { EntityId } from './entity.ts';
import type { Piece, Unrecognised } from './evidence.ts';
import type { Symptom } from './facts.ts';

export const REPORT_VERSION = 1;

export type Confidence = 'certain' | 'probable' | 'possible';

export interface Reason {
  readonly clue: string;
  readonly role: 'needs' | 'proves' | 'supports';
  /** Our words, one line. */
  readonly says: string;
  readonly hearsay?: boolean;
  readonly cited: readonly Citation[];
  /** How many facts said so; `cited` is capped. */
  readonly count: number;
}

/** Something that was looked for and is not the case, or speaks against. */
export interface NotThis {
  readonly says: string;
  /** Empty when it rests on having looked without finding. */
  readonly cited: readonly Citation[];
  /** Where was looked: `describe.txt:40-52`. */
  readonly looked: readonly string[];
}

export interface Ask {
  /** What it would tell, in one line. */
  readonly tells: string;
  readonly command: string;
  /** Where to run it: a node's name, or `anywhere`. */
  readonly where: string;
  readonly channel: Channel;
  /** Ids of the causes it would settle. */
  readonly settles: readonly string[];
}

export interface ReportStep {
  readonly say: string;
  readonly command?: string;
  readonly on?: 'node' | 'cluster';
  readonly family?: string;
}

export interface ReportFix {
  readonly title: string;
  readonly risk: Risk;
  readonly steps: readonly ReportStep[];
  /** What `podcause fix` can do of it. */
  readonly changes?: readonly Change[];
  readonly verified?: string;
}

export interface Victim {
  readonly id: EntityId;
  /** As users name it: `kube-system/kube-proxy-x7k2p`. */
  readonly name: string;
  readonly symptoms: readonly Symptom[];
  readonly detail?: string;
  readonly node?: string;
  /** Explained through another link of the chain: that cause's id. */
  readonly through?: string;
  readonly cited: readonly Citation[];
}

export interface ChainLink {
  readonly cause: string;
  readonly title: string;
  readonly why: string;
  readonly place: string;
  readonly confidence: Confidence;
  readonly because: readonly Reason[];
}

export interface Rival {
  readonly cause: string;
  readonly title: string;
  readonly place: string;
  readonly confidence: Confidence;
  readonly because: readonly Reason[];
}

export interface TimelineEntry {
  /** Epoch ms where known; else seconds before the evidence was taken. */
  readonly at?: number;
  readonly ago?: number;
  readonly untilAgo?: number;
  readonly what: string;
  readonly about: string;
  readonly tone: 'bad' | 'warn' | 'normal';
  readonly count: number;
  readonly cited: readonly Citation[];
}

export interface Incident {
  /** Stable within a report, from 1. */
  readonly number: number;
  /** Cause id, or `not-in-catalogue` for an answer in the evidence's own words. */
  readonly cause: string;
  readonly area: Area | 'unknown';
  readonly title: string;
  readonly why: string;
  readonly place: string;
  readonly placeId: EntityId;
  readonly confidence: Confidence;
  /** Effects of the root between it and the victims. */
  readonly chain: readonly ChainLink[];
  readonly victims: readonly Victim[];
  readonly victimCount: number;
  readonly because: readonly Reason[];
  /** What it is not, and how we know. */
  readonly not: readonly NotThis[];
  readonly rivals: readonly Rival[];
  readonly fixes: readonly ReportFix[];
  readonly asks: readonly Ask[];
  readonly timeline: readonly TimelineEntry[];
  /** The same evidence also shows the trouble over. */
  readonly recovered?: string;
  /** What sets the sick apart from their healthy like; a hint where to look, no proof. */
  readonly compared?: readonly Compared[];
}

export interface Compared {
  readonly says: string;
  readonly cited: readonly Citation[];
}

export interface RuledOut {
  readonly cause: string;
  readonly name: string;
  readonly place: string;
  readonly because: NotThis;
}

export interface Undecided {
  readonly says: string;
  readonly victims: readonly Victim[];
  /** Causes still open for it. */
  readonly open: readonly { readonly cause: string; readonly name: string }[];
  readonly asks: readonly Ask[];
}

export interface History {
  readonly says: string;
  readonly about: string;
  readonly cited: readonly Citation[];
}

export interface CoverageLine {
  readonly channel: Channel;
  readonly about: string;
  readonly extent: Extent;
  readonly docs: readonly string[];
}

/** Redacted text around cited lines, so that a report can show its proof without the files. */
export interface Excerpt {
  readonly doc: string;
  readonly first: number;
  readonly lines: readonly string[];
}

/** A kind of Kubernetes object (or `Namespace`, `Node`) and its name. */
export interface Touched {
  readonly kind: string;
  readonly name: string;
}

/** The cluster that was looked at. */
export interface ReportSource {
  readonly context?: string;
  readonly server: string;
  readonly version?: string;
  /** All of them where it is not set. */
  readonly namespace?: string;
  readonly takenAt: string;
  readonly requests: number;
}

export interface Report {
  readonly version: number;
  readonly tool: { readonly name: 'podcause'; readonly version: string };
  /** Absent for evidence from files. */
  readonly source?: ReportSource;
  readonly verdict: 'healthy' | 'found' | 'undecided';
  readonly incidents: readonly Incident[];
  readonly undecided: readonly Undecided[];
  /** Incidents left out because they do not touch what was asked for. */
  readonly elsewhere?: number;
  readonly ruledOut: readonly RuledOut[];
  readonly history: readonly History[];
  readonly coverage: {
    readonly documents: number;
    readonly lines: number;
    readonly bytes: number;
    readonly looked: readonly CoverageLine[];
    readonly pieces: readonly Piece[];
    readonly unrecognised: readonly Unrecognised[];
    readonly unread: readonly Unread[];
    readonly pods: number;
    readonly nodes: number;
    readonly redactions: number;
  };
  readonly excerpts: readonly Excerpt[];
  /** A rule that broke on this evidence; the rest went on. */
  readonly failures: readonly { readonly cause: string; readonly message: string }[];
  readonly timings: { readonly milliseconds: number; readonly lookups: number; readonly facts: number };
}
