/** What is done with a field of a pod while it is skimmed. */
export const PASS = 0;
/** No plainly healthy pod has it. */
export const REFUSE = 1;
export const COUNT_CONTAINER = 2;
/** Must have no content. */
export const EMPTY = 3;
export const PHASE = 4;
export const CONDITION_TYPE = 5;
export const CONDITION_STATUS = 6;
export const CONDITION_REASON = 7;
export const MUST_BE_SET = 8;
export const MUST_BE_ZERO = 9;
export const SECONDS = 10;
/** Texts that are kept: this and the number of a slot. */
export const TEXT = 16;
/** Messages that are looked into: this and the number of a table. */
export const INSIDE = 32;

export const NAME = 0;
export const NAMESPACE = 1;
export const NODE = 2;
export const OWNER_KIND = 3;
export const OWNER_NAME = 4;
export const SLOTS = 5;

/** Fields from here on are of no interest in any message. */
export const FIELDS = 32;

export interface Table {
  /** By number of the field. */
  readonly actions: Uint8Array;
  /** Bits of the fields that must be there. */
  readonly needed: number;
}

function table(fields: Readonly<Record<number, number>>, needs: readonly number[] = [], others = PASS): Table {
  const actions = new Uint8Array(FIELDS).fill(others);
  for (const [field, action] of Object.entries(fields)) actions[Number(field)] = action;
  return { actions, needed: needs.reduce((bits, field) => bits | (1 << field), 0) };
}

const METADATA = 0;
const OWNER = 1;
const SPEC = 2;
const INIT_CONTAINER = 3;
const STATUS = 4;
const CONDITION = 5;
const CONTAINER_STATUS = 6;
const FINISHED_STATUS = 7;
const RUNNING_STATE = 8;
const FINISHED_STATE = 9;
const RUNNING = 10;
const TERMINATED = 11;
const TIME = 12;

export const IN_OWNER = INSIDE + OWNER;
export const IN_CONTAINER_STATUS = INSIDE + CONTAINER_STATUS;

export const POD = table({ 1: INSIDE + METADATA, 2: INSIDE + SPEC, 3: INSIDE + STATUS }, [1, 2, 3]);

export const TABLES: readonly Table[] = [
  table({ 1: TEXT + NAME, 3: TEXT + NAMESPACE, 8: INSIDE + TIME, 9: REFUSE, 13: IN_OWNER }, [1]),
  table({ 1: TEXT + OWNER_KIND, 3: TEXT + OWNER_NAME, 6: MUST_BE_SET }, [6]),
  table({ 2: COUNT_CONTAINER, 10: TEXT + NODE, 20: INSIDE + INIT_CONTAINER }),
  // A restart policy of its own may make an init container a sidecar, which counts as a container.
  table({ 24: REFUSE }),
  table(
    {
      1: PHASE,
      2: INSIDE + CONDITION,
      4: EMPTY,
      8: IN_CONTAINER_STATUS,
      10: INSIDE + FINISHED_STATUS,
      13: REFUSE,
    },
    [1],
  ),
  table({ 1: CONDITION_TYPE, 2: CONDITION_STATUS, 4: INSIDE + TIME, 5: CONDITION_REASON }, [2]),
  table({ 2: INSIDE + RUNNING_STATE, 3: EMPTY, 4: MUST_BE_SET, 5: MUST_BE_ZERO }, [2, 4]),
  table({ 2: INSIDE + FINISHED_STATE, 3: EMPTY }, [2]),
  table({ 2: INSIDE + RUNNING }, [2], REFUSE),
  table({ 3: INSIDE + TERMINATED }, [3], REFUSE),
  table({ 1: INSIDE + TIME }),
  table({ 1: MUST_BE_ZERO, 6: INSIDE + TIME }),
  table({ 1: SECONDS }),
];
