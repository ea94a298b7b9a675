import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Certificates for tests: any name, any dates, signed by whom we like, made without a tool outside. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOrder {
  readonly name: string;
  /** Group of a client certificate. */
  readonly organization?: string;
  readonly dns?: readonly string[];
  readonly ip?: readonly string[];
  readonly from?: Date;
  readonly until?: Date;
  /** Signs itself as an authority where absent. */
  readonly by?: Pair & { readonly name: string };
}

const DAY = 86_400_000;
const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'));

export function makeCertificate(order: CertificateOrder): Pair & { readonly name: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const from = order.from ?? new Date(Date.now() - DAY);
  const until = order.until ?? new Date(Date.now() + 30 * DAY);
  const extensions = [
    ...(order.by ? [] : [extension('551d13', sequence(der(0x01, Buffer.from([0xff]))))]),
    ...(order.dns || order.ip ? [extension('551d11', sequence(...names(order)))] : []),
  ];
  const body = sequence(
    der(0xa0, integer(2)),
    integer(Math.floor(Math.random() * 1e9) + 1),
    ECDSA_SHA256,
    subject(order.by?.name ?? order.name),
    sequence(time(from), time(until)),
    subject(order.name, order.organization),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  const signer: KeyObject = order.by ? createPrivateKey(order.by.key) : privateKey;
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, signer));
  const whole = sequence(body, ECDSA_SHA256, signature).toString('base64');
  return {
    name: order.name,
    cert: `-----BEGIN CERTIFICATE-----\n${whole.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function integer(value: number): Buffer {
  const hex = value.toString(16);
  return der(
    0x02,
    Buffer.from(hex.length % 2 ? `0${hex}` : `00${hex}`, 'hex').subarray(hex.length % 2 || Number.parseInt(hex[0] ?? '0', 16) >= 8 ? 0 : 1),
  );
}

function time(date: Date): Buffer {
  return der(
    0x18,
    Buffer.from(
      `${date
        .toISOString()
        .replace(/\.\d+Z$/, '')
        .replace(/[-:T]/g, '')}Z`,
    ),
  );
}

function subject(name: string, organization?: string): Buffer {
  const part = (type: string, text: string) => der(0x31, sequence(oid(type), der(0x0c, Buffer.from(text))));
  return sequence(...(organization === undefined ? [] : [part('55040a', organization)]), part('550403', name));
}

function extension(type: string, content: Buffer): Buffer {
  return sequence(oid(type), der(0x04, content));
}

function names({ dns = [], ip = [] }: CertificateOrder): Buffer[] {
  return [
    ...dns.map((name) => der(0x82, Buffer.from(name))),
    ...ip.map((address) => der(0x87, Buffer.from(address.split('.').map(Number)))),
  ];
}
