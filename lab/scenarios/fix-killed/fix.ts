import { killedTrial } from '../../src/fixes/killed.ts';

export const fix = killedTrial();
