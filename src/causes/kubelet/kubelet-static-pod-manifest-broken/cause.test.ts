import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const said = (message: string) => `Mar 04 08:10:57 alder kubelet[901]: E0304 08:10:57.118402     901 file.go:187] ${message}\n`;
const yaml = said(
  '"Could not process manifest file" err="/etc/kubernetes/manifests/kube-apiserver.yaml: couldn\'t parse as pod(yaml: line 14: did not find expected key), please check config file" path="/etc/kubernetes/manifests/kube-apiserver.yaml"',
);

testCause(cause, {
  finds: {
    'a backup beside the manifest': {
      evidence: {
        'kubelet.log': `Mar 04 08:10:57 alder kubelet[901]: I0304 08:10:57.118402     901 config.go:340] "Pod failed validation due to duplicate pod name, ignoring" index=2 pod="kube-system/kube-apiserver-alder" source="file"\n`,
        'ls.txt':
          '[root@alder ~]# ls -la /etc/kubernetes/manifests\ntotal 24\n-rw------- 1 root root 4012 Mar  4 07:58 kube-apiserver.yaml\n-rw------- 1 root root 4001 Mar  4 07:51 kube-apiserver.yaml.bak\n',
      },
      confidence: 'certain',
      cites: ['ls.txt:4'],
    },
    'YAML that does not parse': {
      evidence: { 'kubelet.log': yaml },
      confidence: 'certain',
      place: 'node alder',
      cites: ['kubelet.log:1'],
    },
    'an older kubelet': {
      evidence: {
        'kubelet.log': said(
          "Can't process manifest file \"/etc/kubernetes/manifests/etcd.yaml\": /etc/kubernetes/manifests/etcd.yaml: couldn't parse as pod(Object 'Kind' is missing in 'null'), please check config file",
        ),
      },
      confidence: 'certain',
    },
    'a pod that is not valid': {
      evidence: {
        'kubelet.log': said(
          '"Could not process manifest file" err="invalid pod: [spec.containers[0].image: Required value]" path="/etc/kubernetes/manifests/kube-scheduler.yaml"',
        ),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a worker without the folder': {
      evidence: {
        'kubelet.log': said('"Unable to read config path" err="path does not exist, ignoring" path="/etc/kubernetes/manifests"'),
        'ls.txt': '[root@alder ~]# ls /srv\nkube-apiserver.yaml.bak\n',
      },
      by: 'noDirectory',
    },
  },
  asks: { 'what lies in the folder': { evidence: { 'kubelet.log': yaml }, for: 'host-tools' } },
});
