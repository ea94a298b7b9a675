import type { DiagnoseFlags } from './diagnose-command.ts';

export interface ClusterFlags {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly selector?: string;
  readonly since?: number;
  readonly timeout?: number;
}

export interface LiveFlags extends DiagnoseFlags, ClusterFlags {
  readonly plan?: boolean;
  readonly check?: boolean;
  readonly deep?: boolean;
  readonly deepImage?: string;
  readonly yes?: boolean;
  readonly stdin?: boolean;
}
