import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (message: string) => `$ kubectl -n shop describe pod cart-0
Name:             cart-0
Namespace:        shop
Node:             alder/10.7.0.9
Status:           Pending
Events:
  Type     Reason                  Age                From     Message
  ----     ------                  ----               ----     -------
  Warning  FailedCreatePodSandBox  8s (x4 over 55s)   kubelet  ${message}
`;
const sandbox = described('Failed to create pod sandbox: open /run/systemd/resolve/resolv.conf: no such file or directory');

testCause(cause, {
  finds: {
    'the file of systemd-resolved': { evidence: { 'pod.txt': sandbox }, confidence: 'certain', place: 'node alder', cites: ['pod.txt:9'] },
    'with the setting and the service': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 alder kubelet[901]: E0304 08:10:57.118402     901 dns.go:284] "Could not open resolv conf file." err="open /run/systemd/resolve/resolv.conf: no such file or directory"\n',
        'config.yaml':
          'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nresolvConf: /run/systemd/resolve/resolv.conf\n',
        'units.txt':
          '[root@alder ~]# systemctl status systemd-resolved\n● systemd-resolved.service - Network Name Resolution\n     Loaded: loaded (/lib/systemd/system/systemd-resolved.service; disabled; vendor preset: enabled)\n     Active: inactive (dead)\n',
      },
      confidence: 'certain',
      place: 'node alder',
    },
    'Docker found no server': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 alder dockerd[777]: time="2026-03-04T08:10:57Z" level=warning msg="No non-localhost DNS nameservers are left in resolv.conf. Using default external servers" from="no nameservers found in /etc/resolv.conf"\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a file of the image': {
      evidence: {
        'pod.txt': described(
          'Failed to create pod sandbox: failed to copy: open /var/lib/docker/overlay2/4f3b/merged/etc/resolv.conf: no such file or directory',
        ),
      },
      by: 'inImage',
    },
  },
  asks: { 'what the kubelet is told': { evidence: { 'pod.txt': sandbox }, for: 'kubelet-config' } },
});
