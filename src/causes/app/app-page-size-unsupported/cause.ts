import { defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const allocator = line(
  'Unsupported system page size',
  ['container-log', 'pod-status'],
  /(?:<?(?<allocator>jemalloc|mimalloc|tcmalloc|rpmalloc)>?[^\n]{0,40})?Unsupported system page size/i,
);
const alignment = line(
  ['ELF load command alignment not page-aligned', 'ELF load command address/offset not page-aligned'],
  ['container-log', 'pod-status'],
  /(?:(?<library>[\w./+-]{1,200}): )?ELF load command (?:alignment|address\/offset) not (?:page-aligned|properly aligned)/,
);

export const cause = defineCause({
  id: 'app-page-size-unsupported',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'init-crash', 'failed', 'not-ready', 'other-trouble'],

  text: {
    name: 'Built for another page size',
    title: '{container} was compiled for a smaller memory page size than the kernel of its node has ({what})',
    why: 'Kernels of ARM and POWER machines come with memory pages of 4 KB, 16 KB or 64 KB (getconf PAGESIZE). {what} in this image was compiled for pages of 4 KB, as it is on x86, and refuses larger ones: every allocation or load fails, and the program ends at start.',
  },

  clues: {
    allocator: proves(allocator),
    alignment: proves(alignment),
    architecture: supports('node.info', ({ architecture }) => /^(?:arm64|aarch64|ppc64le)$/.test(architecture ?? '')),
    over: excludes('pod.history'),
  },
  says: {
    allocator: 'its memory allocator says: unsupported system page size',
    alignment: 'the loader refuses a library that is not aligned to the pages of this kernel',
    architecture: 'the node is {architecture}, where kernels have pages of 4, 16 or 64 KB',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { allocator: refused, alignment: library, architecture }) => ({
    ...namesOf(place),
    named: place.name.includes(' ') ? '' : place.name,
    what: refused
      ? `the allocator ${refused.fields['allocator'] ?? 'jemalloc'}`
      : `the library ${library?.fields['library'] ?? 'it loads'}`,
    architecture: architecture?.architecture ?? 'arm64',
  }),

  fixes: [
    {
      say: 'Compare the page size of the nodes',
      risk: 'reads-only',
      steps: [
        { say: 'bytes of a page; 65536 is 64 KB', run: 'getconf PAGESIZE; uname -r', on: 'node' },
        { say: 'kernels of the nodes: names with 64k or 16k tell', run: 'kubectl get nodes -o wide -L kubernetes.io/arch', on: 'cluster' },
      ],
    },
    {
      say: 'Use an image compiled for larger pages',
      risk: 'restarts-pods',
      steps: [
        { say: 'a newer release may be; for jemalloc the build needs --with-lg-page=16 (64 KB), which also runs on 4 KB' },
        { say: 'roll it out', run: 'kubectl -n {{namespace}} set image {{target}} {{container}}=IMAGE', on: 'cluster' },
      ],
      changes: [
        {
          do: 'workload-set',
          container: '{{named}}',
          field: 'image',
          value: { ask: 'image', says: 'the image to use, such as registry.example/team/app:1.4' },
        },
      ],
      verified: '{container} starts on the nodes with large pages',
    },
    {
      say: 'Or keep {container} on nodes with pages of 4 KB',
      risk: 'moves-pods',
      steps: [
        { say: 'label the nodes that have them, and select by the label', run: 'kubectl label node NODE page-size=4k', on: 'cluster' },
        {
          say: 'select them',
          run: `kubectl -n {{namespace}} patch {{target}} --type merge -p '{"spec":{"template":{"spec":{"nodeSelector":{"page-size":"4k"}}}}}'`,
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Or boot the node with a kernel of 4 KB pages',
      risk: 'touches-node',
      steps: [
        {
          say: 'distributions offer both: kernel and kernel-64k on RHEL, linux-image-generic and -generic-64k on Ubuntu',
          run: 'getconf PAGESIZE; dnf install -y kernel || apt-get install -y linux-image-generic',
          on: 'node',
        },
      ],
      verified: 'getconf PAGESIZE says 4096',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['jemalloc src/pages.c (pages_boot)', 'glibc elf/dl-map-segments.h, elf/dl-load.c'],
});
