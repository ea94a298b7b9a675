import { defineCause, excludes, line, minutes, namesOf, supports } from '../../define-cause.ts';

/** The proxy waits for the first bytes of the client, in order to tell HTTP from other protocols. */
const timedOut = line(
  ['protocol detection timed out', 'protocol detection timeout', 'Continuing after timeout'],
  ['container-log', 'prose'],
  /^(?:[\s\S]{0,600}?\b(?:addr|server\.addr)=(?<server>[\da-fA-F.:[\]]{7,60}?)[,}\s])?[\s\S]{0,600}?(?:protocol detection (?:timed out|timeout)(?: after (?<after>[\d.]{1,8}m?s))?|linkerd_detect: Continuing after timeout)/i,
);
/** What the HTTP library of the proxy says of bytes that are none. */
const noBytes = line(
  ['invalid HTTP version parsed', 'invalid HTTP method parsed', 'http1.codec_error'],
  ['container-log'],
  /invalid HTTP (?:method|version) parsed|http1\.codec_error/,
);
const refused = line(
  ['Connection refused (os error 111)', 'No route to host (os error 113)'],
  [],
  /(?:Connection refused \(os error 111\)|No route to host \(os error 113\))/,
);

/** Ports of protocols in which the server greets first. */
const GREETERS: Readonly<Record<string, string>> = {
  '3306': 'MySQL',
  '33060': 'MySQL',
  '25': 'SMTP',
  '465': 'SMTP',
  '587': 'SMTP',
  '4222': 'NATS',
  '21': 'FTP',
  '22': 'SSH',
  '143': 'IMAP',
  '4444': 'Galera',
  '4567': 'Galera',
  '4568': 'Galera',
  '5222': 'XMPP',
};

export const cause = defineCause({
  id: 'mesh-protocol-undetected',
  area: 'network',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['not-ready', 'restarts', 'crash-loop', 'other-trouble'],

  text: {
    name: 'Mesh guesses the protocol in vain',
    title: 'The mesh proxy of {workload} cannot tell the protocol {where}: every connection waits{after} or breaks',
    why: 'Unless it is told, a mesh proxy looks at the first bytes of the client in order to know whether they are HTTP. {what} In such a protocol the server speaks first (MySQL, SMTP, NATS, FTP), or the client stays silent for a while: both sides wait for each other until the detection gives up. The port must be declared: opaque (Linkerd), or by the name or appProtocol of the Service port (Istio).',
  },

  clues: {
    timedOut: supports(timedOut),
    noBytes: supports(noBytes),
    refused: excludes(refused),
  },
  says: {
    timedOut: 'the proxy waited in vain for a client to speak {where}',
    noBytes: 'the proxy takes bytes of another protocol for HTTP',
    refused: 'the other side does not take the connection at all',
  },
  slots: (place, { timedOut: waited }) => {
    const server = waited?.fields['server'];
    const port = /:(?<port>\d{1,5})$/.exec(server ?? '')?.groups?.['port'];
    const protocol = port === undefined ? undefined : GREETERS[port];
    return {
      ...namesOf(place),
      workload: place.name === '?' ? 'the pod' : place.name,
      where: server === undefined ? 'of a connection' : `of connections to ${server}${protocol ? ` (${protocol})` : ''}`,
      after: waited?.fields['after'] ? ` ${waited.fields['after']}` : '',
      port: port ?? 'PORT',
      what: protocol ? `Port ${port} is that of ${protocol}.` : 'Here none came in time.',
    };
  },

  fixes: [
    {
      say: 'Linkerd: declare port {port} opaque, on both sides',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'on the Service or the namespace of the server; its pods need it too',
          run: 'kubectl -n {{namespace}} annotate --overwrite service NAME config.linkerd.io/opaque-ports={{port}}',
          on: 'cluster',
        },
        {
          say: 'a server outside of the cluster: let the proxy leave that port alone, in the pod template of the client',
          run: 'kubectl -n {{namespace}} patch deployment NAME -p \'{"spec":{"template":{"metadata":{"annotations":{"config.linkerd.io/skip-outbound-ports":"{{port}}"}}}}}\'',
          on: 'cluster',
        },
      ],
      verified: 'connections to port {port} come about at once and the line no longer appears',
    },
    {
      say: 'Istio: name the port of the Service by its protocol (tcp-…, mysql-…, http-…) or set appProtocol',
      risk: 'reads-only',
      steps: [
        {
          say: 'for example appProtocol: tcp',
          run: 'kubectl -n {{namespace}} patch service NAME --type json -p \'[{"op":"add","path":"/spec/ports/0/appProtocol","value":"tcp"}]\'',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['linkerd2-proxy linkerd/detect', 'linkerd docs: protocol detection', 'istio docs: protocol selection'],
});
