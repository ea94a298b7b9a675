// The way to one of the bench's servers, for everybody who is measured.
import { writeFileSync } from 'node:fs';

export function kubeconfig(file, { server, token, authority }) {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'bench',
        cluster: { server, ...(authority ? { 'certificate-authority': authority } : { 'insecure-skip-tls-verify': true }) },
      },
    ],
    users: [{ name: 'bench', user: token ? { token } : {} }],
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench' } }],
    'current-context': 'bench',
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}
