import { podsIn } from '../../src/conditions.ts';
import { defineFix } from '../../src/fixes/define-fix.ts';
import { specOf } from '../../src/fixes/states.ts';
import { scenario } from './scenario.ts';

/** What may lose data is never done unattended, so somebody types it. */
export const fix = defineFix({
  scenario,
  typed: 'may lose data\n',
  planShows: [/backup\.lab\.local\/flush/],
  state: (lab, namespace) => specOf(lab, 'pod/archive', namespace),
  undo: 'kept',
  proofs: [
    { what: 'the deleted pod is gone', withinSeconds: 30, holds: async (lab, namespace) => (await podsIn(lab, namespace)).length === 0 },
  ],
});
