/** Lets so many through at a time; the others wait in order. */
export interface Slots {
  within<T>(work: () => Promise<T>): Promise<T>;
}

export function createSlots(most: number): Slots {
  let taken = 0;
  const waiting: (() => void)[] = [];
  return {
    async within(work) {
      if (taken >= most) await new Promise<void>((resolve) => waiting.push(resolve));
      else taken++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else taken--;
      }
    },
  };
}
