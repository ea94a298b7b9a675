/** Why a run does not go on, worded for users; what it did so far is in the journal. */
export class Stopped extends Error {
  override readonly name: string = 'Stopped';
}

/** Another run may be at work on the same things: this one touches nothing any more, not even its journal. */
export class LockLost extends Stopped {
  override readonly name = 'LockLost';
}

/** The step that this run began was refused, so it is certain not to have been done. */
export class NotDone extends Stopped {
  override readonly name = 'NotDone';
}

/** A journal was written by somebody else since it was read. */
export class Outdated extends Stopped {
  override readonly name = 'Outdated';
}
