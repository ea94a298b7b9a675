import { catalogue } from '../causes/catalogue.ts';
import { explainCause, listCauses } from '../render/causes.ts';
import { EXIT, UsageError } from './errors.ts';
import { screen } from './screen.ts';

export function causesCommand(id: string | undefined, flags: { output: string }): number {
  const { width, color } = screen(process.stdout, { color: true });
  if (id === undefined) {
    process.stdout.write(listCauses(catalogue, flags.output, { width, color }));
    return EXIT.healthy;
  }
  const cause = catalogue.find((one) => one.id === id);
  if (!cause) {
    const near = catalogue.filter((one) => one.id.includes(id) || id.split('-').some((word) => word.length > 3 && one.id.includes(word)));
    const hint =
      near.length > 0
        ? `\n  Did you mean: ${near
            .slice(0, 5)
            .map((one) => one.id)
            .join(', ')}?`
        : '\n  podcause causes lists them all.';
    throw new UsageError(`there is no cause called ${id}.${hint}`);
  }
  process.stdout.write(explainCause(cause, flags.output, { width, color }));
  return EXIT.healthy;
}
