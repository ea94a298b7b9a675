import type { ByteWindow } from './byte-window.ts';
import { isOrderly } from './orderly.ts';

/** The list an element stands in. */
export interface ListManner {
  readonly kind: string | undefined;
  /** How far a line stands in tells how deep it is. */
  readonly orderly: boolean;
}

/** Takes elements as they stand, without their end being known first. */
export interface Skimmer {
  /**
   * Index after the element that opens at `from`, or -1 when it should be cut out and handed over as text. The bytes go on to
   * `end`, with a zero after them.
   */
  skim(bytes: Buffer, from: number, end: number, list: ListManner): number;
  /** Up to which index the last look went. */
  readonly reached: number;
  /** Keeps what was just skimmed, which has this pointer. */
  keep(pointer: string): void;
}

/** Bytes that may be looked at in vain beyond those that were passed: keeps broken lists from being read over and over. */
export const VAIN_LIMIT = 1 << 20;

/** Decides which elements are skimmed. */
export class ItemSkim {
  private readonly skimmer: Skimmer | undefined;
  private list: ListManner = { kind: undefined, orderly: false };
  private learnt = false;
  private inVain = 0;
  /** Where an element was cut off by the end of the bytes; it is tried again once more of them are there, and only once. */
  private cutAt = -1;

  constructor(skimmer: Skimmer | undefined) {
    this.skimmer = skimmer;
  }

  begin(kind: string | undefined): void {
    this.list = { kind, orderly: false };
    this.learnt = false;
  }

  /** The first element that was parsed shows how the list is laid out. */
  learn(text: string): void {
    if (this.learnt || !this.skimmer) return;
    this.learnt = true;
    this.list = { kind: this.list.kind, orderly: isOrderly(text) };
  }

  /** Position after the element that opens at `position`; -1 when it was not taken. */
  take(window: ByteWindow, position: number): number {
    const again = this.cutAt === position;
    this.cutAt = -1;
    if (!this.skimmer || this.inVain > position + VAIN_LIMIT) return -1;
    const { bytes, shift } = window.view();
    const end = window.end - shift;
    const after = this.skimmer.skim(bytes, position - shift, end, this.list);
    if (after >= 0) return after + shift;
    const { reached } = this.skimmer;
    this.inVain += Math.min(reached, end) + shift - position;
    if (reached >= end && !again) this.cutAt = position;
    return -1;
  }

  /** Whether the element there should be left alone until more bytes came. */
  isWaitingAt(position: number): boolean {
    return this.cutAt === position;
  }
}
