import type { BlockReader } from '../../model/reading.ts';
import { certificateReader } from './certificates.ts';
import { cgroupFindReader, cgroupTreeReader, procCgroupReader } from './cgroup-paths.ts';
import { cgroupVersionReader, procCgroupsReader } from './cgroup-version.ts';
import { clockReader, glanceReader } from './clock.ts';
import { cniFilesReader } from './cni-files.ts';
import { containerdConfigReader } from './containerd-config.ts';
import { crictlInfoReader } from './crictl-info.ts';
import { crictlInspectReader } from './crictl-inspect.ts';
import { crictlPodsReader, crictlPsReader, ctrTasksReader } from './crictl-tables.ts';
import { crictlRuntimeConfigReader, crictlVersionReader, ctrPluginsReader } from './crictl-text.ts';
import { crioConfigReader } from './crio-config.ts';
import { diskReader, mountReader, swapReader } from './disks.ts';
import { dockerDaemonReader } from './docker-daemon.ts';
import { dockerInfoReader } from './docker-info.ts';
import { dockerInspectReader } from './docker-inspect.ts';
import { dockerPsReader } from './docker-ps.ts';
import { dockerVersionReader } from './docker-version.ts';
import { kubeadmConfigMapReader, kubeadmConfigReader } from './kubeadm-config.ts';
import { kubeletConfigReader } from './kubelet-config.ts';
import { kubeletJsonReader } from './kubelet-json.ts';
import { apparmorProfilesReader, lsmReader, selinuxReader } from './lsm.ts';
import { hostnamectlReader, lsbReleaseReader, osReleaseReader, redhatReleaseReader, unameReader } from './os.ts';
import { packageReader } from './packages.ts';
import { refusalReader, runtimeRefusalReader } from './refusals.ts';
import { sysctlReader } from './sysctl.ts';
import { systemctlIsReader, systemctlListReader, systemctlShowReader } from './systemctl-lists.ts';
import { systemctlStatusReader } from './systemctl-status.ts';
import { apparmorReader, moduleReader, toolReader } from './tools.ts';
import { kubeletEnvReader, processReader, unitFileReader } from './unit-files.ts';
import { versionReader } from './versions.ts';

/** Readers of a host's configuration files and command output; the narrower a format, the earlier it is asked. */
export const hostReaders: readonly BlockReader[] = [
  cniFilesReader,
  refusalReader,
  runtimeRefusalReader,
  kubeadmConfigMapReader,
  kubeletJsonReader,
  crictlInfoReader,
  crictlInspectReader,
  dockerInspectReader,
  dockerDaemonReader,
  kubeletConfigReader,
  kubeadmConfigReader,
  containerdConfigReader,
  crioConfigReader,
  systemctlStatusReader,
  systemctlListReader,
  systemctlIsReader,
  systemctlShowReader,
  unitFileReader,
  kubeletEnvReader,
  dockerVersionReader,
  crictlVersionReader,
  crictlRuntimeConfigReader,
  dockerInfoReader,
  dockerPsReader,
  crictlPsReader,
  crictlPodsReader,
  ctrTasksReader,
  ctrPluginsReader,
  procCgroupReader,
  cgroupFindReader,
  cgroupTreeReader,
  cgroupVersionReader,
  procCgroupsReader,
  hostnamectlReader,
  osReleaseReader,
  lsbReleaseReader,
  redhatReleaseReader,
  unameReader,
  versionReader,
  packageReader,
  moduleReader,
  sysctlReader,
  diskReader,
  mountReader,
  swapReader,
  certificateReader,
  lsmReader,
  apparmorProfilesReader,
  selinuxReader,
  clockReader,
  glanceReader,
  apparmorReader,
  toolReader,
  processReader,
];
