import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE     NAME               READY   STATUS             RESTARTS      AGE   IP          NODE
kube-system   kube-proxy-q7wzx   0/1     CrashLoopBackOff   4 (20s ago)   3m    10.4.0.11   plover-1
`;
const log = (words: string) => `$ kubectl -n kube-system logs kube-proxy-q7wzx
${words}
`;

testCause(cause, {
  finds: {
    'the lock of iptables is held': {
      evidence: {
        'proxy.log':
          '$ kubectl -n kube-system logs kube-proxy-x7k2p\nE0304 08:10:57.000000       1 proxier.go:1620] "Failed to execute iptables-restore" err="exit status 4 (Another app is currently holding the xtables lock. Perhaps you want to use the -w option?)"\n',
      },
      confidence: 'possible',
    },
    'the kernel modules of IPVS are missing': {
      evidence: {
        'pods.txt': pods,
        'proxy.log': log('E0304 08:10:36.012808       1 run.go:74] "command failed" err="can\'t use the IPVS proxier: Ipvs not supported"'),
      },
      confidence: 'certain',
      place: 'node plover-1',
    },
    'it has chosen its mode and may not set the limits': {
      evidence: {
        'proxy.log': log(`I0304 08:10:36.112740       1 server_others.go:186] Using iptables Proxier.
I0304 08:10:36.212740       1 conntrack.go:103] Set sysctl 'net/netfilter/nf_conntrack_max' to 524288
F0304 08:10:36.312740       1 server.go:495] open /proc/sys/net/netfilter/nf_conntrack_max: permission denied`),
      },
      confidence: 'certain',
    },
    'a scheduler that does not exist': {
      evidence: {
        'pods.txt': pods,
        'proxy.log':
          log(`E0304 08:10:36.012740       1 proxier.go:634] "Could not create dummy VS" err="no such file or directory" scheduler="lcc"
E0304 08:10:36.012808       1 run.go:74] "command failed" err="can't use the IPVS proxier: no such file or directory"`),
      },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['proxy.log:3', 'pods.txt:2'],
      victims: 1,
    },
    'each virtual server is refused': {
      evidence: {
        'proxy.log': log(
          'E0304 08:10:36.012808       1 proxier.go:2016] "Failed to add IPVS service" err="no such file or directory" svcName="shop/till"',
        ),
      },
      confidence: 'certain',
    },
    'each virtual server is refused, in older words': {
      evidence: {
        'proxy.log': log(
          'E0304 08:10:36.012808       1 proxier.go:1909] Failed to add IPVS service "shop/till:http": no such file or directory',
        ),
      },
      confidence: 'certain',
    },
    'the kernel lacks what the nftables rules use': {
      evidence: {
        'proxy.log': log(`E0304 08:10:36.101201       1 proxier.go:1814] "nftables sync failed" err=<
	/dev/stdin:12:87-100: Error: Could not process rule: No such file or directory
	add rule ip kube-proxy external-Q2W4Z-shop/till/tcp/http fib saddr type local jump mark-for-masquerade
 >`),
      },
      confidence: 'certain',
    },
    'the kernel lacks an extension': {
      evidence: {
        'proxy.log': log(`E0304 08:10:36.112635       1 proxier.go:1432] "Failed to execute iptables-restore" err=<
	exit status 2: ip6tables-restore v1.8.7 (nf_tables): unknown option "--xor-mark"
	Error occurred at line: 11
 >`),
      },
      confidence: 'certain',
    },
    'a node of another name': {
      evidence: {
        'proxy.log': log(
          'E0304 08:10:36.012808       1 server.go:1039] "Failed to retrieve node info" err="nodes \\"plover-9\\" not found"',
        ),
      },
      confidence: 'possible',
    },
    'no iptables': {
      evidence: {
        'proxy.log': log('E0304 08:10:36.012808       1 run.go:74] "command failed" err="iptables is not available on this host"'),
      },
      confidence: 'certain',
    },
    'the rules are refused': {
      evidence: {
        'proxy.log': log(
          'E0304 08:10:36.012808       1 proxier.go:1507] "Failed to execute iptables-restore" err="exit status 1 (iptables-restore: line 43 failed)"',
        ),
      },
      confidence: 'certain',
    },
    'conntrack limits': {
      evidence: {
        'proxy.log': log(
          'E0304 08:10:36.012808       1 server.go:495] "Error running ProxyServer" err="open /proc/sys/net/netfilter/nf_conntrack_max: permission denied"',
        ),
      },
      confidence: 'certain',
    },
    'an old address of the API server': {
      evidence: {
        'proxy.log': log(
          'E0304 08:10:36.260817       1 reflector.go:138] k8s.io/client-go/informers/factory.go:134: Failed to watch *v1.EndpointSlice: failed to list *v1.EndpointSlice: Get "https://10.9.0.3:6443/apis/discovery.k8s.io/v1/endpointslices?labelSelector=%21service.kubernetes.io%2Fheadless%2C%21service.kubernetes.io%2Fservice-proxy-name&limit=500&resourceVersion=0": dial tcp 10.9.0.3:6443: connect: no route to host\nE0304 08:10:37.260817       1 node.go:161] Failed to retrieve node info: Get "https://10.9.0.3:6443/api/v1/nodes/plover-1": dial tcp 10.9.0.3:6443: connect: no route to host',
        ),
      },
      confidence: 'certain',
    },
    'a dead service address and a kube-proxy in trouble': {
      evidence: {
        'pods.txt': pods,
        'flannel.log':
          '$ kubectl -n kube-flannel logs kube-flannel-ds-7xk2p\nE0304 08:10:56.142921       1 main.go:222] Failed to create SubnetManager: error retrieving pod spec for \'kube-flannel/kube-flannel-ds-7xk2p\': Get "https://10.96.0.1:443/api/v1/namespaces/kube-flannel/pods/kube-flannel-ds-7xk2p": dial tcp 10.96.0.1:443: i/o timeout\n',
      },
      confidence: 'possible',
      place: 'node plover-1',
    },
  },
  rulesOut: {
    'it fell back to iptables': {
      evidence: {
        'proxy.log': log(`E0304 08:10:36.012740       1 server_others.go:259] can't use ipvs proxier, trying iptables proxier
I0304 08:10:36.112740       1 server_others.go:185] Using iptables Proxier.`),
      },
      by: 'works',
    },
  },
  asks: {
    'the log of kube-proxy': {
      evidence: { 'note.txt': "can't use the IPVS proxier: no such file or directory\n", 'pods.txt': pods },
      for: 'container-log',
    },
  },
});

describe('kube-proxy-down-or-mode-unsupported and other programs that set rules', () => {
  const denied = "iptables v1.8.7 (legacy): can't initialize iptables table `nat': Permission denied (you must be root)";
  const causesOf = async (pod: string) => {
    const { incidents } = await diagnose([{ name: 'log.txt', text: `$ kubectl -n kube-system logs ${pod}\n${denied}\n` }], {
      causes: [cause],
    });
    return incidents.map((incident) => incident.cause);
  };

  it('does not take the words of another pod for those of kube-proxy', async () => {
    expect(await causesOf('bulwark-5c7d8f9b6d-q8z4n')).not.toContain(cause.id);
    expect(await causesOf('kube-proxy-q7wzx')).toContain(cause.id);
  });

  it('does not take a mode that was left empty for one that is not supported', async () => {
    const empty = `W0304 08:10:36.012740       1 server_others.go:578] Unknown proxy mode "", assuming iptables proxy
I0304 08:10:36.112740       1 server_others.go:185] Using iptables Proxier.`;
    const end = 'F0304 08:10:36.312740       1 server.go:495] open /proc/sys/net/netfilter/nf_conntrack_max: permission denied';
    const titles = async (text: string) =>
      (await diagnose([{ name: 'proxy.log', text: log(text) }], { causes: [cause] })).incidents
        .filter((incident) => incident.cause === cause.id)
        .map(({ title }) => title);
    expect(await titles(empty)).toEqual([]);
    expect((await titles(`${empty}\n${end}`)).join()).toContain('conntrack limits');
  });

  it('names the module of sets where ipset does not answer', async () => {
    const said = `E0304 08:10:36.012808       1 run.go:72] "command failed" err="can't use the IPVS proxier: error getting ipset version, error: exit status 1"`;
    const { incidents } = await diagnose([{ name: 'proxy.log', text: log(said) }], { causes: [cause] });
    expect(incidents[0]?.title).toContain('ip_set');
  });

  it('does not take a refusal to whoever is not root for one to kube-proxy', async () => {
    const { incidents } = await diagnose([{ name: 'paste.txt', text: `my sidecar stops:\n${denied}\n` }], { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });
});
