import {
  defineCause,
  excludes,
  imageIn,
  minutes,
  namesOf,
  notByContainers,
  on,
  proves,
  pullLine,
  registryAnswers,
  waitsForImage,
} from '../../define-cause.ts';

const obsolete = pullLine(
  [
    'Pulling Schema 1 images',
    'distribution.manifest.v1+',
    'schema 1 support',
    'schema 1 manifest',
    'unsupported schema version 1',
    'manifest version 2, schema 1',
    'failed to get converter for',
  ],
  /Pulling Schema 1 images have been deprecated|media type \\*"application\/vnd\.docker\.distribution\.manifest\.v1\+[a-z]{3,20}\\*" is no longer supported|schema 1 (?:support|manifest)[\s\S]{0,80}?(?:disabled|removed|deprecated|not supported)|unsupported schema version 1|unsupported (?:manifest )?(?:media|MIME) ?type[\s\S]{0,40}?manifest\.v1\+/,
  { must: [] },
);
const otherAnswer = registryAnswers('unknown', 'denied');

export const cause = defineCause({
  id: 'image-schema1-rejected',
  area: 'image',
  at: 'Workload',
  maturity: 'stable',
  explains: ['image-pull', 'creating', 'init-stuck'],
  wakesOn: [on('pod.symptom', { symptom: 'image-pull' })],

  text: {
    name: 'Image manifest is obsolete',
    title: 'Image {image} has an obsolete manifest (Docker schema 1)',
    why: 'The registry holds {image} only in the manifest format of before 2017 (media type manifest.v1+prettyjws). containerd 2.0 refuses it by default and 2.1 cannot read it at all; recent Docker refuses it too. After an upgrade of the runtime, images that old are no longer supported and cannot be pulled.',
  },

  clues: {
    stuck: waitsForImage,
    obsolete: proves(obsolete, notByContainers),
    other: excludes(otherAnswer),
  },
  says: {
    stuck: 'a pod waits for its image',
    obsolete: 'the runtime refuses the schema 1 manifest of {image}',
    other: 'the registry has no such image, or does not hand it out',
  },
  slots: (place, { obsolete }) => ({
    ...namesOf(place),
    image: imageIn(obsolete) ?? 'of the pod',
    reference: imageIn(obsolete) ?? 'IMAGE',
  }),

  fixes: [
    {
      say: 'Use a newer tag or another image, published in a current format',
      risk: 'restarts-pods',
      steps: [
        { say: 'what format it has: schemaVersion 1 is the old one', run: 'skopeo inspect --raw docker://{{reference}} | head -c 400' },
        { say: 'change the image', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
      ],
      changes: [
        { do: 'workload-set', field: 'image', value: { ask: 'image', says: 'the image to use, such as registry.example/team/app:1.4' } },
      ],
      verified: 'an event Pulled',
    },
    {
      say: 'Or convert it: rebuild the image, or copy it into your own registry in the current format and use it from there',
      risk: 'restarts-pods',
      steps: [
        { say: 'skopeo converts while it copies', run: 'skopeo copy --format v2s2 docker://{{reference}} docker://REGISTRY/NAME:TAG' },
      ],
    },
    {
      say: 'For a while, with containerd 2.0 only: allow the old format again',
      risk: 'touches-node',
      steps: [
        {
          say: 'an environment variable of its unit',
          run: `mkdir -p /etc/systemd/system/containerd.service.d && printf '[Service]\\nEnvironment="CONTAINERD_ENABLE_DEPRECATED_PULL_SCHEMA_1_IMAGE=1"\\n' > /etc/systemd/system/containerd.service.d/schema1.conf && systemctl daemon-reload && systemctl restart containerd`,
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['containerd client/pull.go, core/remotes/docker/resolver.go', 'moby daemon/internal/distribution/pull_v2.go'],
});
