/**
 * What a fix changes, as data. Words and commands for people stand in the steps; a change is what podcause itself can
 * preview, make, verify and take back. Strings may hold `{{slot}}`, filled from the slots of the cause.
 */
export type Change = HostChange | AskedHostChange | ClusterChange;

/** A value that only the user knows, given with `--set NAME=VALUE`; `says` tells what is wanted. */
export interface Answer {
  readonly ask: string;
  readonly says: string;
}

export type Scalar = string | number | boolean;

/** Settings of containerd whose table moved between versions of its configuration. */
export type ContainerdSetting = 'SystemdCgroup' | 'sandbox_image' | 'registry_config_path';

export type Family = 'debian' | 'rhel' | 'suse' | 'alpine' | 'arch';

/** On the host of the incident's node. Daemons whose configuration changes are restarted by a `units` change. */
export type HostChange =
  /** With `asKubelet` a cgroup driver follows that of the host's kubelet. */
  | { readonly do: 'containerd-set'; readonly setting: ContainerdSetting; readonly value: Scalar; readonly asKubelet?: true }
  /** Takes it off `disabled_plugins`. */
  | { readonly do: 'containerd-enable'; readonly plugin: string }
  /** In daemon.json. With `prefix` the option is a list, and the member that begins so is replaced. */
  | { readonly do: 'docker-set'; readonly option: string; readonly value: Scalar; readonly prefix?: string }
  /** A dotted key of the KubeletConfiguration. */
  | { readonly do: 'kubelet-set'; readonly key: string; readonly value: Scalar }
  | { readonly do: 'drop-in'; readonly unit: string; readonly lines: readonly string[] }
  /** Now and after a reboot. With `atLeast` a higher value stays. */
  | { readonly do: 'sysctl'; readonly key: string; readonly value: string; readonly atLeast?: true }
  | { readonly do: 'module'; readonly name: string }
  /** By the host's own manager; `command` is what it brings. */
  | { readonly do: 'package'; readonly names: Readonly<Partial<Record<Family, string>>>; readonly command?: string }
  | { readonly do: 'units'; readonly action: 'start' | 'restart' | 'enable'; readonly units: readonly string[] }
  /** Moved into the journal's backup. */
  | { readonly do: 'remove-file'; readonly path: string }
  | { readonly do: 'apparmor-unload'; readonly profile: string }
  /** Names as `kubeadm certs renew` takes them; the control plane's static pods are started anew. */
  | { readonly do: 'kubeadm-renew'; readonly names: readonly string[] };

/** The same with a value that is still to be asked for. */
export interface AskedHostChange {
  readonly do: 'containerd-set';
  readonly setting: ContainerdSetting;
  readonly value: Answer;
}

/** In the cluster. The workload is the one that owns the incident's victims. */
export type ClusterChange =
  /** A dotted field of its pod template, below the container where one is named. */
  | { readonly do: 'workload-set'; readonly container?: string; readonly field: string; readonly value: Scalar | Answer }
  /** One more member of a list of its pod template: `tolerations`, `imagePullSecrets`. */
  | { readonly do: 'workload-add'; readonly field: string; readonly value: Readonly<Record<string, Scalar>> }
  | { readonly do: 'workload-unset'; readonly container?: string; readonly field: string }
  /** `Kind/namespace/name`, or `Kind/name` for what is in no namespace. */
  | { readonly do: 'object-set'; readonly object: string; readonly field: string; readonly value: Scalar | Answer }
  /** Pods of the incident are deleted, and their controller makes them anew. One without a controller stays. */
  | { readonly do: 'restart-pods' }
  | { readonly do: 'remove-finalizer'; readonly object: string; readonly finalizer?: string }
  | { readonly do: 'uncordon'; readonly node: string }
  | { readonly do: 'rollout-undo' };

const ON_HOST: ReadonlySet<string> = new Set<HostChange['do']>([
  'containerd-set',
  'containerd-enable',
  'docker-set',
  'kubelet-set',
  'drop-in',
  'sysctl',
  'module',
  'package',
  'units',
  'remove-file',
  'apparmor-unload',
  'kubeadm-renew',
]);

export function isHostChange(change: Change): change is HostChange | AskedHostChange {
  return ON_HOST.has(change.do);
}
