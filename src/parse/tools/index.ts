import type { BlockReader } from '../../model/reading.ts';
import { CALICOCTL_SIGN, calicoctlReader } from './calicoctl.ts';
import { CILIUM_SIGN, ciliumReader } from './cilium.ts';
import { CLIENTS_SIGN, clientsReader } from './clients.ts';
import { ETCDCTL_SIGN, etcdctlReader } from './etcdctl.ts';
import { HEALTH_CHECKS_SIGN, healthChecksReader } from './health-checks.ts';
import { HELM_SIGN, helmReader } from './helm.ts';
import { KUBEADM_SIGN, kubeadmReader } from './kubeadm.ts';
import { KUBEADM_CERTIFICATES_SIGN, kubeadmCertificatesReader } from './kubeadm-certificates.ts';
import { NVIDIA_SIGN, nvidiaReader } from './nvidia.ts';

/** Most lines are told off by a sign without which no block of the kind starts. */
function signed(reader: BlockReader, sign: RegExp): BlockReader {
  return {
    what: reader.what,
    read: (lines, from, context, sink) => (sign.test((lines[from] ?? '').slice(0, 400)) ? reader.read(lines, from, context, sink) : from),
  };
}

/** Readers of what the client tools around a cluster print. */
export const toolReaders: readonly BlockReader[] = [
  signed(kubeadmReader, KUBEADM_SIGN),
  signed(kubeadmCertificatesReader, KUBEADM_CERTIFICATES_SIGN),
  signed(helmReader, HELM_SIGN),
  signed(etcdctlReader, ETCDCTL_SIGN),
  signed(calicoctlReader, CALICOCTL_SIGN),
  signed(ciliumReader, CILIUM_SIGN),
  signed(nvidiaReader, NVIDIA_SIGN),
  signed(healthChecksReader, HEALTH_CHECKS_SIGN),
  signed(clientsReader, CLIENTS_SIGN),
];
