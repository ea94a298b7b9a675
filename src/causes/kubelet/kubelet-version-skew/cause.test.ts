import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const join = (error: string) => `[root@alder ~]# kubeadm join 10.7.0.2:6443\n[preflight] Running pre-flight checks\n${error}\n`;
const missing = (second: number) =>
  `Mar 04 08:10:${second} alder kubelet[901]: E0304 08:10:${second}.118402     901 reflector.go:138] k8s.io/client-go/informers/factory.go:134: Failed to watch *v1.RuntimeClass: failed to list *v1.RuntimeClass: the server could not find the requested resource\n`;

testCause(cause, {
  finds: {
    'an API server without CSINode': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 alder kubelet[901]: F0304 08:10:57.118402     901 csi_plugin.go:285] Failed to initialize CSINodeInfo: error updating CSINode annotation: timed out waiting for the condition; caused by: the server could not find the requested resource\n',
      },
      confidence: 'certain',
    },
    'preflight of a newer kubelet': {
      evidence: {
        'join.txt': join(
          '\t[ERROR KubeletVersion]: the kubelet version is higher than the control plane version. This is not a supported version skew and may lead to a malfunctional cluster. Kubelet version: "1.31.2" Control plane version: "1.29.6"',
        ),
      },
      confidence: 'certain',
      place: 'node alder',
      cites: ['join.txt:3'],
    },
    'preflight of an old kubelet': {
      evidence: {
        'join.txt': join('\t[ERROR KubeletVersion]: Kubelet version "1.22.4" is lower than kubeadm can support. Please upgrade kubelet'),
      },
      confidence: 'certain',
    },
    'a cluster older than kubeadm supports': {
      evidence: {
        'init.txt':
          'fatal: [alder]: FAILED! => {"changed": true, "rc": 1, "stderr": "this version of kubeadm only supports deploying clusters with the control plane version >= 1.28.0. Current version: v1.23.1\\nTo see the stack trace of this error execute with --v=5 or higher"}\n',
      },
      confidence: 'certain',
    },
    'an upgrade over two minor versions': {
      evidence: {
        'upgrade.txt':
          '[root@alder ~]# kubeadm upgrade apply v1.29.1\n[upgrade/version] FATAL: the --version argument is invalid due to these fatal errors:\n\n\t- Specified version to upgrade to "v1.29.1" is too high; kubeadm can upgrade only 1 minor version at a time\n',
      },
      confidence: 'certain',
      place: 'node alder',
    },
    'an upgrade with the old kubeadm': {
      evidence: {
        'upgrade.txt':
          '[root@alder ~]# kubeadm upgrade apply v1.29.1\n[upgrade/version] FATAL: the --version argument is invalid due to these fatal errors:\n\n\t- Specified version to upgrade to "v1.29.1" is higher than the kubeadm version "v1.28.4". Upgrade kubeadm first using the tool you used to install kubeadm\n',
      },
      confidence: 'certain',
    },
    'an upgrade backwards': {
      evidence: {
        'upgrade.txt':
          '[upgrade/version] FATAL: the --version argument is invalid due to these fatal errors:\n\n\t- Specified version to upgrade to "v1.28.1" is lower than the cluster version "v1.29.4". Downgrades are not supported yet\n',
      },
      confidence: 'certain',
    },
    'kubelets left behind': {
      evidence: {
        'upgrade.txt':
          '[upgrade/version] FATAL: the --version argument is invalid due to these fatal errors:\n\n\t- There are kubelets in this cluster that are too old that have these versions [v1.24.3]\n',
      },
      confidence: 'certain',
    },
    'the ConfigMap of another version': {
      evidence: {
        'join.txt': join(
          'error: error execution phase kubelet-start: configmaps "kubelet-config-1.21" is forbidden: User "system:bootstrap:k3j2h1" cannot get resource "configmaps" in API group "" in the namespace "kube-system"',
        ),
      },
      confidence: 'certain',
      place: 'node alder',
    },
    'a kubelet that goes on asking for what the server does not serve': {
      evidence: { 'kubelet.log': [57, 58, 59].map(missing).join('') },
      confidence: 'certain',
      place: 'node alder',
    },
    'a field the server does not know yet': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 alder kubelet[901]: W0304 08:10:57.844789     901 reflector.go:561] k8s.io/client-go/informers/factory.go:160: failed to list *v1.Service: "spec.clusterIP" is not a known field selector: only "metadata.name", "metadata.namespace"\n',
      },
      confidence: 'certain',
      place: 'node alder',
    },
    'one such line': { evidence: { 'kubelet.log': missing(57) }, confidence: 'possible', place: 'node alder' },
  },
  rulesOut: {
    'only kubectl is of another version': {
      evidence: {
        'v.txt':
          '[root@alder ~]# kubectl version\nWARNING: version difference between client (1.31) and server (1.28) exceeds the supported minor version skew of +/-1\n',
        'kubelet.log': missing(57),
      },
      by: 'kubectlOnly',
    },
  },
  asks: {
    'the log of the kubelet': {
      evidence: {
        'join.txt': join('\t[ERROR KubeletVersion]: Kubelet version "1.22.4" is lower than kubeadm can support. Please upgrade kubelet'),
      },
      for: 'kubelet-log',
    },
  },
});
