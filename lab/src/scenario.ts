import type { Lab } from './lab.ts';

type Confidence = 'certain' | 'probable' | 'possible';

export interface ExpectedIncident {
  readonly cause: string;
  /** As the report names it: `Node worker-a`. */
  readonly place: string;
  readonly confidence: Confidence;
  /** Exactly so many; evictions and retries make a number that can only be bounded. */
  readonly victims: number | { readonly atLeast: number };
}

export interface Condition {
  readonly what: string;
  holds(lab: Lab, namespace: string): Promise<boolean>;
  readonly withinSeconds: number;
}

export interface NodeEvidence {
  readonly node: string;
  readonly command: string;
}

export interface ExtraEvidence {
  /** Arguments of kubectl; the namespace is added unless `-A` is among them. */
  readonly kubectl?: readonly (readonly string[])[];
  /** Commands on a node, pasted with its prompt. */
  readonly node?: readonly NodeEvidence[];
}

export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** `cluster`: only objects of its own namespace, runs beside others. A node's name: has that node for itself. */
  readonly on: 'cluster' | 'worker-a' | 'vm-a';
  /** What the scheduler says of every node is the evidence: runs before `vm-a` joins, and with a node's name before all others. */
  readonly scheduling?: boolean;
  /** Whether `manifest.yaml` stands beside the scenario. */
  readonly manifest?: boolean;
  /** Holds before the fault is made. */
  readonly ready?: Condition;
  breakIt?(lab: Lab, namespace: string): Promise<void>;
  /** Runs always, also after a failure. */
  restore?(lab: Lab, namespace: string): Promise<void>;
  readonly until: Condition;
  readonly expect: ExpectedIncident | 'healthy';
  /** Causes that must be in no incident. */
  readonly never?: readonly string[];
  /** Arguments of the live call; `-n NAMESPACE` unless given. */
  readonly live?: readonly string[];
  /** podcause itself runs in a pod of the cluster, by its service account. */
  readonly inPod?: boolean;
  /** Nodes whose host evidence is handed to podcause as well: the API cannot tell what a silent kubelet knows. */
  readonly host?: readonly string[];
  readonly evidence?: ExtraEvidence;
}

export function defineScenario(scenario: Scenario): Scenario {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(scenario.id)) throw new Error(`scenario id ${JSON.stringify(scenario.id)} is not in kebab case`);
  return scenario;
}

export function namespaceOf(scenario: Pick<Scenario, 'id'>): string {
  return `lab-${scenario.id}`;
}
