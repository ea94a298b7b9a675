export interface KubeconfigParts {
  readonly server: string;
  readonly user: string;
  /** Paths, or PEM texts. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** With everything inside, so that the file can be carried elsewhere. */
export function inlineKubeconfig(parts: KubeconfigParts): string {
  const data = (text: string): string => Buffer.from(text).toString('base64');
  return kubeconfig(
    parts,
    `certificate-authority-data: ${data(parts.authority)}`,
    `client-certificate-data: ${data(parts.certificate)}`,
    `client-key-data: ${data(parts.key)}`,
  );
}

/** With paths, as kubeadm writes the kubelet's. */
export function pathKubeconfig(parts: KubeconfigParts): string {
  return kubeconfig(
    parts,
    `certificate-authority: ${parts.authority}`,
    `client-certificate: ${parts.certificate}`,
    `client-key: ${parts.key}`,
  );
}

function kubeconfig(parts: KubeconfigParts, authority: string, certificate: string, key: string): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: lab
  cluster:
    ${authority}
    server: ${parts.server}
users:
- name: ${parts.user}
  user:
    ${certificate}
    ${key}
contexts:
- name: ${parts.user}@lab
  context:
    cluster: lab
    user: ${parts.user}
current-context: ${parts.user}@lab
`;
}
