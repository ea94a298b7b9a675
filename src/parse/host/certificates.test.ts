import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

const command = 'openssl x509 -noout -subject -dates -checkend 0 -in /etc/kubernetes/pki/apiserver.crt';

describe('a certificate', () => {
  it('tells whose it is, its dates, and that it is over', () => {
    const heard = hear(
      'subject=CN = kube-apiserver\nnotBefore=Jan  1 00:00:00 2024 GMT\nnotAfter=Dec 31 00:00:00 2024 GMT\nCertificate will expire',
      { command },
    );
    expect(told(heard, 'host.certificate')).toEqual([
      {
        about: 'Node/?',
        path: '/etc/kubernetes/pki/apiserver.crt',
        subject: 'CN=kube-apiserver',
        notBefore: Date.UTC(2024, 0, 1),
        notAfter: Date.UTC(2024, 11, 31),
        expired: true,
      },
    ]);
  });

  it.each([
    ['/O=system:nodes/CN=system:node:heron-1', 'O=system:nodes, CN=system:node:heron-1'],
    ['O = system:nodes, CN = system:node:heron-1', 'O=system:nodes, CN=system:node:heron-1'],
    ['O=system:nodes, CN=system:node:heron-1', 'O=system:nodes, CN=system:node:heron-1'],
  ])('has the same subject however it is written: %s', (written, subject) => {
    const heard = hear(`subject= ${written}\nnotAfter=Dec 31 00:00:00 2024 GMT\nCertificate will not expire`, { command });
    expect(told(heard, 'host.certificate')).toMatchObject([{ subject, expired: false }]);
  });

  it('without dates is none', () => {
    expect(hear('subject=CN = x').taken).toEqual([]);
    expect(told(hear('notAfter=no date at all', { command }), 'host.certificate')).toEqual([
      { about: 'Node/?', path: '/etc/kubernetes/pki/apiserver.crt' },
    ]);
  });
});
