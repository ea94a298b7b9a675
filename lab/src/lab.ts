export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly timeoutSeconds?: number;
  readonly input?: string;
}

export interface LabNode {
  /** Kubernetes node name. */
  readonly name: string;
  readonly kind: 'namespace' | 'vm';
  /** `sh -c` inside the node, in its own pid, mount and network namespaces. Never throws on an exit code. */
  exec(command: string, options?: RunOptions): Promise<Ran>;
  writeFile(path: string, text: string): Promise<void>;
  readFile(path: string): Promise<string>;
}

export interface Lab {
  /** The administrator's. */
  readonly kubeconfig: string;
  kubectl(args: readonly string[], options?: RunOptions): Promise<Ran>;
  node(name: string): LabNode;
  /** The built command line with KUBECONFIG set; or in a pod, by its service account. */
  podcause(args: readonly string[], options?: RunOptions & { readonly inPod?: boolean }): Promise<Ran>;
}
