import type { Family } from '../../model/change.ts';

export type Manager = 'apt-get' | 'dnf' | 'yum' | 'zypper' | 'apk';

/** Daemons whose configuration file may lie elsewhere than usual: the survey asks them. */
export type Daemon = 'containerd' | 'kubelet' | 'docker';

/** What a host said of itself before anything is planned for it; read by the survey script. */
export interface HostState {
  readonly node: string;
  /** The survey came to its end; nothing is planned on half of one. */
  readonly complete: boolean;
  readonly family: Family | undefined;
  /** `PRETTY_NAME` of os-release. */
  readonly os: string;
  readonly manager: Manager | undefined;
  readonly hasSystemd: boolean;
  /** By path; a file that is not there has no entry. Text as it is, secrets included: never shown whole. */
  readonly files: ReadonlyMap<string, HostFile>;
  /** What is there and could not be read as a text, with the reason. */
  readonly unread: ReadonlyMap<string, string>;
  /** Where the daemons have their configuration, as their command lines say. */
  readonly configs: Readonly<Record<Daemon, string>>;
  /** As the programs say: `1.6.20`, `20.10.24`, `1.31.4`. */
  readonly versions: ReadonlyMap<Daemon, string>;
  /** Where containerd listens. */
  readonly containerdSocket: string;
  readonly sysctls: ReadonlyMap<string, string>;
  readonly modules: ReadonlySet<string>;
  /** Commands found on its path. */
  readonly commands: ReadonlySet<string>;
  /** Packages installed, of those asked for. */
  readonly packages: ReadonlySet<string>;
  /** `active`, `failed`, `inactive`, … by unit name without `.service`; those that are not there have no entry. */
  readonly units: ReadonlyMap<string, string>;
  /** Units that start with the host. */
  readonly enabled: ReadonlySet<string>;
  /** When units became active, in seconds since 1970, where the host can tell. */
  readonly since: ReadonlyMap<string, number>;
  /** AppArmor profiles that are loaded, of those asked for, with the file they are made of where one is found. */
  readonly profiles: ReadonlyMap<string, string>;
  readonly etcWritable: boolean;
  /** The lesser of /var/lib and /etc. */
  readonly freeBytes: number;
  /** Names of containers that docker calls Up although their process is gone. */
  readonly ghosts: readonly string[];
  /** Docker is there and did not answer, so that its containers are not known. */
  readonly dockerSilent: boolean;
  /** Unfinished and finished fixes in its journal. */
  readonly journal: readonly HostJournalEntry[];
}

export interface HostFile {
  readonly text: string;
  readonly sha256: string;
  readonly mode: string;
  readonly owner: string;
  /** In seconds since 1970. */
  readonly modified: number;
  /** Where it really is, when the path goes through a symbolic link. */
  readonly real: string;
}

export interface HostJournalEntry {
  readonly id: string;
  readonly state: 'begun' | 'done' | 'undone' | 'rolled-back';
  readonly title: string;
  readonly at: string;
}
