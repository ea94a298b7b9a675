import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

/** Of a region that AWS has: continent, direction, number. */
const DIRECTION = '(?:north|south|east|west|central|northeast|northwest|southeast|southwest)';
/** Written like one, and none: no hyphen before the number, no number, or the letter of a zone behind it. */
const WRONG = String.raw`(?<region>[a-z]{2}(?:-gov|-isob?)?-${DIRECTION}(?:\d{1,2}[a-f]?|-\d{1,2}[a-f]|)|[a-z]{2}(?:gov)?_${DIRECTION}_\d{1,2}|[a-z]{2}${DIRECTION}-?\d{1,2}|)`;

const asked = line(
  ['.amazonaws.com'],
  ['container-log', 'pod-events', 'object-events', 'system-log', 'kubelet-log', 'prose'],
  new RegExp(
    `(?:https?://|lookup |resolve host:? |hostname:? |UnknownHostException: |ENOTFOUND )(?:[\\w-]{1,80}\\.){0,3}?(?<service>[a-z0-9][\\w-]{0,40})\\.${WRONG}\\.amazonaws\\.com(?:\\.cn)?\\b[\\s\\S]{0,300}?(?:no such host|server misbehaving|[Cc]ould not|Name or service not known|ENOTFOUND|$)`,
  ),
);
const named = line(
  ['is not a valid region', 'Invalid region', 'invalid region', 'is invalid for region', 'InvalidRegionError'],
  ['container-log', 'pod-events', 'object-events', 'prose'],
  /['"]?(?<region>[\w-]{2,30})['"]? is not a valid (?:AWS )?region|InvalidRegionError: [^\n'"]{0,60}['"](?<boto>[\w-]{0,40})['"]|[Ii]nvalid region(?: name)?:? ['"]?(?<said>[\w-]{2,30})/,
);
const reached = line(['StatusCode: 40', 'status code: 40'], [], /https response error StatusCode: 40\d|status code: 40\d/);

export const cause = defineCause({
  id: 'aws-region-invalid',
  area: 'config',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'creating', 'pending', 'other-trouble'],

  text: {
    name: 'AWS region misspelt',
    title: 'A program is given an AWS region that does not exist: {region}',
    why: 'Programs build the host name of each AWS service from the region they are given, such as ec2.eu-west-1.amazonaws.com. There is no region {region} ({hint}), so the name does not resolve and no request leaves the cluster. The DNS of the cluster is well.',
  },

  clues: {
    asked: proves(asked),
    named: proves(named),
    reached: excludes(reached),
  },
  says: {
    asked: 'it asks for {service}.{region}.amazonaws.com',
    named: 'it says that {region} is no region',
    reached: 'AWS was reached, and answers with an error',
  },
  slots: (_place, { asked: host, named: told }) => {
    const region = host?.fields['region'] ?? told?.fields['region'] ?? told?.fields['boto'] ?? told?.fields['said'] ?? '';
    return {
      service: host?.fields['service'] ?? 'a service',
      region: region === '' ? '(empty)' : region,
      hint:
        region === ''
          ? 'nothing is set'
          : /-\d{1,2}[a-f]$/.test(region)
            ? 'that is an availability zone; the region has no letter at its end'
            : 'regions are written like eu-west-1, with a hyphen before the number',
    };
  },

  fixes: [
    {
      say: 'Find where the region is set',
      risk: 'reads-only',
      steps: [
        {
          say: 'arguments and environment of workloads',
          run: "kubectl get deployments,daemonsets,statefulsets,cronjobs -A -o yaml | grep -niE 'region'",
          on: 'cluster',
        },
        {
          say: 'the region the nodes are in',
          run: 'kubectl get nodes -L topology.kubernetes.io/region,topology.kubernetes.io/zone',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Set the right region (AWS_REGION, --aws-region, or region in the values of the chart)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'for example',
          run: 'kubectl -n NAMESPACE set env deployment/NAME AWS_REGION=eu-west-1 AWS_DEFAULT_REGION=eu-west-1',
          on: 'cluster',
        },
        { say: 'a chart: change its values, so that the next upgrade keeps it' },
      ],
      verified: 'the look-ups of amazonaws.com names no longer fail',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['aws-sdk-go endpoints', 'botocore exceptions', 'AWS general reference: service endpoints'],
});
