import { BlockList, isIP } from 'node:net';
import { hostOf, portOf, shownAddress } from './link.ts';
import { ClusterError } from './port.ts';

/** The proxy on the way to the server: the kubeconfig's own, or the environment's unless it makes an exception. */
export function proxyFor(server: URL, ownProxy: string | undefined, environment: NodeJS.ProcessEnv): URL | undefined {
  if (ownProxy !== undefined) return proxyUrl(ownProxy, 'proxy-url of the kubeconfig');
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = environment[name] || environment[name.toLowerCase()];
  if (!value || isLocal(hostOf(server)) || isExcepted(server, environment['NO_PROXY'] || environment['no_proxy'] || '')) return undefined;
  return proxyUrl(value.includes('://') ? value : `http://${value}`, name);
}

function proxyUrl(value: string, from: string): URL {
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    throw new ClusterError('unreachable', `The ${from} is not an address.`);
  }
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  throw new ClusterError('unreachable', `The ${from} is ${shownAddress(url)}: only http and https proxies are supported.`);
}

export function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** `*`, names with everything below them, addresses, address ranges; each may end in a port. */
function isExcepted(server: URL, exceptions: string): boolean {
  const host = hostOf(server).toLowerCase();
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((one) => one !== '')
    .some((one) => {
      if (one === '*') return true;
      if (one.includes('/')) return isInRange(host, one);
      const [name, port] = isIP(one) ? [one, undefined] : splitPort(one);
      if (port !== undefined && Number(port) !== portOf(server)) return false;
      const bare = name.replace(/^\*?\./, '').replace(/^\[|\]$/g, '');
      return (host === bare && !name.startsWith('.')) || host.endsWith(`.${bare}`);
    });
}

function splitPort(one: string): [string, string | undefined] {
  const at = one.lastIndexOf(':');
  return at >= 0 && /^\d{1,5}$/.test(one.slice(at + 1)) ? [one.slice(0, at), one.slice(at + 1)] : [one, undefined];
}

function isInRange(host: string, range: string): boolean {
  const [net = '', bits = ''] = range.split('/', 2);
  const family = isIP(net);
  if (!family || isIP(host) !== family || !/^\d{1,3}$/.test(bits)) return false;
  const list = new BlockList();
  try {
    list.addSubnet(net, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
    return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
  } catch {
    return false;
  }
}
