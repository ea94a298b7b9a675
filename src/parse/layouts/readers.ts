import type { BlockReader } from '../../model/reading.ts';
import { hostJsonReader } from './host-json.ts';
import { nodeLogReader } from './node-logs.ts';

/** Readers of what only archives hold. */
export const layoutReaders: readonly BlockReader[] = [hostJsonReader, nodeLogReader];
