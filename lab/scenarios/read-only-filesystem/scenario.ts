import { defineScenario } from '../../src/scenario.ts';
import { crashes } from '../conditions.ts';

export const scenario = defineScenario({
  id: 'read-only-filesystem',
  title: 'A program writes its cache into a read-only root file system',
  on: 'cluster',
  manifest: true,
  until: crashes({ exitCode: 1 }),
  expect: {
    cause: 'app-root-filesystem-read-only',
    place: 'container feeds of Deployment lab-read-only-filesystem/feeds',
    confidence: 'certain',
    victims: 1,
  },
  evidence: { kubectl: [['get', 'pods', '-o', 'yaml']] },
  never: ['app-permission-denied-exec'],
});
