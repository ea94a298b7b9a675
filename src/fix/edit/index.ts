export { editContainerd } from './containerd.ts';
export { unifiedDiff } from './diff.ts';
export { editDocker } from './docker.ts';
export type { Edited, Splice } from './edit.ts';
export { editKubelet } from './kubelet.ts';
export { dropIn, modulesFile, sysctlFile } from './lines.ts';
export { applySplices, editInTurn } from './splices.ts';
