import { defineScenario } from '../../src/scenario.ts';
import { crashes } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'init-fails',
  title: 'An init container ends with an error',
  on: 'cluster',
  manifest: true,
  until: crashes({ exitCode: 3 }),
  expect: {
    cause: 'app-database-schema-missing',
    place: 'container schema of Deployment lab-init-fails/billing',
    confidence: 'certain',
    victims: 1,
  },
  never: ['app-exits-nonzero-at-start', 'init-container-waits-by-design'],
});
