export { applyCluster } from './apply-cluster.ts';
export type {
  ClusterOutcome,
  ClusterPlan,
  ClusterStep,
  FixRecord,
  RunOptions,
} from './cluster-plan.ts';
export { recordHosts } from './host-record.ts';
export { listFixes } from './list-fixes.ts';
export { noteAhead, withdrawNote } from './note-ahead.ts';
export { kustomizeFiles, patchFiles } from './patch-files.ts';
export { planCluster } from './plan-cluster.ts';
export { resumeCluster } from './resume-cluster.ts';
export { undoCluster } from './undo-cluster.ts';
