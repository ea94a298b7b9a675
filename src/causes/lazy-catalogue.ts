import type { Catalogue, Cause } from '../model/cause.ts';

/** What is known of a cause before it is loaded: enough to look for its lines and to wake it. */
export type CauseHead = Pick<Cause, 'id' | 'area' | 'at' | 'maturity' | 'explains' | 'effectOf' | 'restates' | 'wakesOn' | 'lines'>;

type Rest = Omit<Cause, keyof CauseHead>;

/** Three hundred causes take longer to load than a story takes to read; each is loaded when it wakes. */
export function lazyCatalogue(heads: readonly CauseHead[], load: (id: string) => Cause, packedLines: () => Uint8Array): Catalogue {
  const causes = heads.map((head) => {
    const whole = (): Rest => load(head.id);
    return {
      ...head,
      get text() {
        return whole().text;
      },
      get says() {
        return whole().says;
      },
      get clues() {
        return whole().clues;
      },
      get slots() {
        return whole().slots;
      },
      get fixes() {
        return whole().fixes;
      },
      get verify() {
        return whole().verify;
      },
      get sources() {
        return whole().sources ?? [];
      },
    };
  });
  return Object.assign(causes, { packedLines });
}
