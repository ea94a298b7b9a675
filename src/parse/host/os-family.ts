import type { FactKinds } from '../../model/facts.ts';

type Family = NonNullable<FactKinds['host.os']['family']>;

const FAMILIES: readonly (readonly [Family, RegExp])[] = [
  ['debian', /\b(?:debian|ubuntu|kali|raspbian|raspberry pi os|linux ?mint|pop[!_ ]?os|uos|deepin|proxmox)\b/i],
  [
    'rhel',
    /\b(?:rhel|red hat|centos|rocky|alma ?linux|fedora|amazon linux|amzn|oracle linux|ol|scientific linux|openeuler|anolis|kylin|alibaba cloud linux|alinux|tencentos|opencloudos|cloudlinux|euleros|mariner|azure ?linux)\b/i,
  ],
  ['suse', /\b(?:suse|opensuse[\w-]*|sles|sled|sle[- ]micro)\b/i],
  ['alpine', /\balpine\b/i],
  ['arch', /\b(?:arch(?: linux)?|manjaro|endeavouros)\b/i],
];

/** The package family of a distribution, from its name, or from `ID` and `ID_LIKE`. */
export function familyOf(...names: readonly (string | undefined)[]): Family {
  for (const name of names) {
    if (!name) continue;
    for (const [family, pattern] of FAMILIES) if (pattern.test(name)) return family;
  }
  return 'other';
}
