import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['container-log', 'pod-events', 'kubelet-log'] as const;
const pipe = line(
  ['pipe\\\\csi-proxy', 'pipe\\csi-proxy', 'pipe/csi-proxy', 'csi-proxy-filesystem', 'csi-proxy-disk', 'csi-proxy-volume', 'csi-proxy-smb'],
  SAID_BY,
  /pipe[\\/]{1,8}(?<pipe>csi-proxy-[a-z]{2,20}-v\w{1,12})[^\n]{0,80}?(?:The system cannot find the (?:file|path) specified|no such file or directory|context deadline exceeded|Access is denied)/i,
);
const asked = line(
  ['failed to connect to csi-proxy', 'csi-proxy'],
  SAID_BY,
  /failed to connect to csi-proxy|csi-proxy[^\n]{0,60}?(?:is )?not (?:running|found|installed)/i,
);
const connected = line(['using CSIProxy', 'CSI proxy is ready'], [], /using CSIProxyMounterV\d, API Versions/);

export const cause = defineCause({
  id: 'windows-csi-proxy-missing',
  area: 'storage',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'crash-loop', 'restarts', 'not-ready', 'other-trouble'],

  text: {
    name: 'csi-proxy missing on Windows',
    title: 'csi-proxy does not run on Windows node {node}: storage drivers cannot mount there',
    why: 'On Windows a container may not touch disks and mounts of the host. Storage drivers (Azure disk and file, AWS EBS, GCE, SMB, vSphere) ask csi-proxy to do it, a service on the host with named pipes such as {pipe}. That pipe is not there: csi-proxy is not installed or not running on {node}, or offers other versions of its API than the driver asks for.',
  },

  clues: {
    pipe: proves(pipe),
    asked: supports(asked),
    windows: supports('node.info', ({ osImage }) => /Windows/i.test(osImage ?? '')),
    connected: excludes(connected),
  },
  says: {
    pipe: 'the pipe of csi-proxy is not there: {pipe}',
    asked: 'the driver cannot connect to csi-proxy',
    windows: 'it is a Windows node',
    connected: 'the driver has connected to csi-proxy',
  },
  slots: (place, { pipe: missing }) => ({
    node: place.name.includes(' ') ? 'of the pod' : place.name,
    pipe: missing?.fields['pipe'] ?? 'csi-proxy-filesystem-v1',
  }),

  fixes: [
    {
      say: 'See on the Windows node whether the service is there and runs',
      risk: 'reads-only',
      steps: [
        {
          say: 'service and pipes, in PowerShell',
          run: 'Get-Service csiproxy, csi-proxy -ErrorAction SilentlyContinue; Get-ChildItem \\\\.\\pipe\\ | Where-Object Name -like "csi-proxy*"',
          on: 'node',
        },
      ],
    },
    {
      say: 'Install csi-proxy as a Windows service and start it, then restart the node pod of the driver',
      risk: 'touches-node',
      steps: [
        {
          say: 'csi-proxy.exe of the release in C:\\etc\\kubernetes\\node\\bin, in PowerShell as administrator',
          run: 'sc.exe create csiproxy start= auto binPath= "C:\\etc\\kubernetes\\node\\bin\\csi-proxy.exe -windows-service -log_file=C:\\etc\\kubernetes\\logs\\csi-proxy.log -logtostderr=false"; sc.exe failure csiproxy reset= 0 actions= restart/10000; sc.exe start csiproxy',
          on: 'node',
        },
        {
          say: 'managed node pools (AKS, EKS, GKE) bring it along: upgrade the node image or make the node anew',
        },
      ],
      verified: 'the pipes csi-proxy-disk-v1 and csi-proxy-filesystem-v1 exist, and the volume is mounted',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes-csi/csi-proxy README', 'kubernetes-sigs/azuredisk-csi-driver pkg/mounter/safe_mounter_windows.go'],
});
