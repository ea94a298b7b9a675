import type { BlockReader } from '../../model/reading.ts';
import { attemptReader, httpStatusReader, telnetReader } from './attempts.ts';
import { blockDeviceReader, multipathReader } from './block-devices.ts';
import { certificateTextReader } from './certificate-text.ts';
import { certificateReader } from './certificates.ts';
import { cgroupFindReader, cgroupTreeReader, procCgroupReader } from './cgroup-paths.ts';
import { cgroupVersionReader, procCgroupsReader } from './cgroup-version.ts';
import { clockReader, glanceReader } from './clock.ts';
import { cniConfigReader, flannelReader } from './cni-config.ts';
import { cniFilesReader } from './cni-files.ts';
import { containerdConfigReader } from './containerd-config.ts';
import { crictlInfoReader } from './crictl-info.ts';
import { crictlInspectReader } from './crictl-inspect.ts';
import { crictlPodsReader, crictlPsReader, ctrTasksReader } from './crictl-tables.ts';
import { crictlRuntimeConfigReader, crictlVersionReader, ctrPluginsReader } from './crictl-text.ts';
import { crioConfigReader } from './crio-config.ts';
import { diskReader } from './disks.ts';
import { dockerDaemonReader } from './docker-daemon.ts';
import { dockerInfoReader } from './docker-info.ts';
import { dockerInspectReader } from './docker-inspect.ts';
import { dockerPsReader } from './docker-ps.ts';
import { dockerVersionReader } from './docker-version.ts';
import { ethtoolReader } from './ethtool.ts';
import { iptablesListReader, iptablesSaveReader, nftReader } from './firewall.ts';
import { firewallServiceReader } from './firewall-services.ts';
import { bridgeReader, interfaceReader } from './interfaces.ts';
import { ipvsReader } from './ipvs.ts';
import { kubeadmConfigMapReader, kubeadmConfigReader } from './kubeadm-config.ts';
import { kubeletConfigReader } from './kubelet-config.ts';
import { kubeletHealthReader } from './kubelet-health.ts';
import { kubeletJsonReader } from './kubelet-json.ts';
import { limitReader } from './limits.ts';
import { listenerReader } from './listeners.ts';
import { loadReader } from './load.ts';
import { apparmorProfilesReader, lsmReader, selinuxReader } from './lsm.ts';
import { freeReader, meminfoReader, swapReader } from './memory.ts';
import { findmntReader, mountReader } from './mounts.ts';
import { hostnamectlReader, lsbReleaseReader, osReleaseReader, redhatReleaseReader, unameReader } from './os.ts';
import { packageReader } from './packages.ts';
import { digReader, lookupReader, pingReader } from './ping-and-dns.ts';
import { refusalReader, runtimeRefusalReader } from './refusals.ts';
import { exportReader, iscsiReader } from './remote-storage.ts';
import { resolverReader } from './resolver.ts';
import { routeReader } from './routes.ts';
import { straceReader } from './strace.ts';
import { sysctlFileReader, sysctlReader } from './sysctl.ts';
import { systemctlIsReader, systemctlListReader, systemctlShowReader } from './systemctl-lists.ts';
import { systemctlStatusReader } from './systemctl-status.ts';
import { chronyReader, ntpstatReader, timeSourceReader } from './time-sources.ts';
import { tlsReader } from './tls.ts';
import { apparmorReader, moduleReader, toolReader } from './tools.ts';
import { unitFileListReader } from './unit-file-list.ts';
import { kubeletEnvReader, processReader, unitFileReader } from './unit-files.ts';
import { versionReader } from './versions.ts';

/** Readers of a host's configuration files and command output; the narrower a format, the earlier it is asked. */
export const hostReaders: readonly BlockReader[] = [
  cniFilesReader,
  kubeletHealthReader,
  refusalReader,
  runtimeRefusalReader,
  kubeadmConfigMapReader,
  kubeletJsonReader,
  crictlInfoReader,
  crictlInspectReader,
  dockerInspectReader,
  cniConfigReader,
  flannelReader,
  dockerDaemonReader,
  kubeletConfigReader,
  kubeadmConfigReader,
  containerdConfigReader,
  crioConfigReader,
  systemctlStatusReader,
  systemctlListReader,
  unitFileListReader,
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
  sysctlFileReader,
  diskReader,
  mountReader,
  findmntReader,
  blockDeviceReader,
  multipathReader,
  iscsiReader,
  exportReader,
  swapReader,
  freeReader,
  meminfoReader,
  loadReader,
  resolverReader,
  limitReader,
  interfaceReader,
  bridgeReader,
  routeReader,
  iptablesSaveReader,
  iptablesListReader,
  nftReader,
  firewallServiceReader,
  ipvsReader,
  ethtoolReader,
  listenerReader,
  certificateReader,
  certificateTextReader,
  lsmReader,
  apparmorProfilesReader,
  selinuxReader,
  clockReader,
  chronyReader,
  timeSourceReader,
  ntpstatReader,
  glanceReader,
  pingReader,
  lookupReader,
  digReader,
  attemptReader,
  tlsReader,
  telnetReader,
  httpStatusReader,
  straceReader,
  apparmorReader,
  toolReader,
  processReader,
];
