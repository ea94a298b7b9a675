import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['kubelet-log', 'system-log', 'container-log'] as const;
const image = line(
  ['runtime image', 'rke2-runtime:', 'rancher/rke2-runtime'],
  SAID_BY,
  /(?:[Ff]ailed to (?:get|pull|extract|find|stage|load)[^\n]{0,60}?runtime image|preparing runtime|[Ff]ailed to (?:extract|pull|get) [^\n]{0,120}?rke2-runtime)[^\n]{0,1500}?(?:(?<limit>TOOMANYREQUESTS|toomanyrequests|pull rate limit|429 Too Many)|(?<space>no space left on device)|(?<absent>MANIFEST_UNKNOWN|manifest unknown|not found|404 Not Found)|(?<tls>x509: [^\n"\\]{3,100})|(?<denied>UNAUTHORIZED|unauthorized|DENIED|401 Unauthorized)|(?<net>i\/o timeout|no such host|connection refused|connection reset by peer|TLS handshake timeout|context deadline exceeded|network is unreachable|no route to host|server misbehaving|EOF))/,
);
const other = line(
  ['runtime image'],
  SAID_BY,
  /[Ff]ailed to (?:get|pull|extract|find|stage|load)[^\n]{0,60}?runtime image[^\n]{0,200}|preparing runtime: [^\n]{0,200}?runtime image/,
);
const ready = line(['rke2 is up and running', 'Extracting file bin/kubelet'], [], /rke2 is up and running|Extracting file bin\/kubelet/);

export const cause = defineCause({
  id: 'rke2-runtime-image-unavailable',
  area: 'image',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'rke2 cannot fetch its programs',
    title: 'rke2 on {node} cannot get its own runtime image with kubelet and containerd: {what}',
    why: 'rke2 brings kubelet, containerd and runc as an image (rancher/rke2-runtime), which it pulls itself, before any containerd runs, or takes from /var/lib/rancher/rke2/agent/images. Here {what}, so the service ends before the kubelet starts. It uses system-default-registry and registries.yaml, and the proxy in the environment of its unit.',
  },

  clues: {
    image: proves(image),
    other: supports(other),
    ready: excludes(ready),
  },
  says: {
    image: 'rke2 does not get its runtime image: {what}',
    other: 'rke2 does not get its runtime image',
    ready: 'rke2 has unpacked its programs since',
  },
  slots: (place, { image: said }) => {
    const fields = said?.fields ?? {};
    return {
      node: place.name,
      what: fields['limit']
        ? 'the registry throttles it (pull rate limit of Docker Hub)'
        : fields['space']
          ? 'the disk is full'
          : fields['absent']
            ? 'the registry does not have the image of this version (a private registry that was not filled)'
            : fields['tls']
              ? `the certificate of the registry is not trusted (${fields['tls']})`
              : fields['denied']
                ? 'the registry refuses the login'
                : fields['net']
                  ? `the registry is not reached (${fields['net']})`
                  : 'its message tells why',
    };
  },

  fixes: [
    {
      say: 'See where rke2 pulls from, and whether that is reached',
      risk: 'reads-only',
      steps: [
        {
          say: 'registry, mirrors, proxy, images on disk, room on the disk',
          run: 'cat /etc/rancher/rke2/config.yaml /etc/rancher/rke2/registries.yaml /etc/default/rke2-server /etc/default/rke2-agent 2>/dev/null | grep -vE "token|password"; ls -lh /var/lib/rancher/rke2/agent/images/; df -h /var/lib/rancher; curl -sSIm 5 https://index.docker.io/v2/ | head -1',
          on: 'node',
        },
      ],
    },
    {
      say: 'Without a way to the registry: put the image archive of this version on the node, or set a mirror',
      risk: 'touches-node',
      steps: [
        {
          say: 'archive rke2-images.linux-amd64.tar.zst of the release',
          run: 'mkdir -p /var/lib/rancher/rke2/agent/images && cp rke2-images.linux-amd64.tar.zst /var/lib/rancher/rke2/agent/images/ && systemctl restart rke2-server',
          on: 'node',
        },
        {
          say: 'or a registry of your own: system-default-registry in /etc/rancher/rke2/config.yaml, its CA and login in registries.yaml; behind a proxy HTTP_PROXY, HTTPS_PROXY and NO_PROXY in /etc/default/rke2-server',
        },
      ],
      verified: 'the journal says: Extracting file bin/kubelet',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['rancher/rke2 pkg/bootstrap/bootstrap.go', 'docs.rke2.io: air-gap installation'],
});
