import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const helm = (words: string) => ({
  evidence: { 'terminal.txt': `$ helm upgrade quince ./quince\nError: ${words}\n` },
  confidence: 'certain' as const,
});
const flux = (words: string) => ({
  evidence: {
    'status.txt': `NAME     REVISION             SUSPENDED   READY   MESSAGE\nquince   main@sha1:4f1a2bc9   False       False   ${words}\n`,
  },
  confidence: 'certain' as const,
});
const argo = (words: string) => ({
  evidence: {
    'app.txt': `Name:         quince\nNamespace:    argocd\nAPI Version:  argoproj.io/v1alpha1\nKind:         Application\nStatus:\n  Conditions:\n    Message:               ${words}\n    Type:                  ComparisonError\n`,
  },
});
const nil =
  'template: quince/templates/ingress.yaml:1:14: executing "quince/templates/ingress.yaml" at <.Values.web.ingress.enabled>: nil pointer evaluating interface {}.enabled';

testCause(cause, {
  finds: {
    'charts it depends on': helm(
      'An error occurred while checking for chart dependencies. You may need to run `helm dependency build` to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: medlar',
    ),
    'a value that is not set': helm(`UPGRADE FAILED: ${nil}`),
    'a value that is not set, by Argo CD': {
      ...argo(
        `Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = Manifest generation error (cached): \`helm template . --name-template quince\` failed exit status 1: Error: ${nil}`,
      ),
      confidence: 'certain',
    },
    'a chart that demands a value': helm(
      'INSTALLATION FAILED: execution error at (quince/templates/secret.yaml:7:4): a password is required',
    ),
    'a function Helm does not have': helm(
      'INSTALLATION FAILED: parse error at (quince/templates/web.yaml:12): function "toDuration" not defined',
    ),
    'a template that gives no YAML': helm(
      'UPGRADE FAILED: YAML parse error on quince/templates/web.yaml: error converting YAML to JSON: yaml: line 33: mapping values are not allowed in this context',
    ),
    'values with a tab in them': helm(
      'failed to parse values.yaml: error converting YAML to JSON: yaml: line 4: found character that cannot start any token',
    ),
    'values that do not fit the schema': helm(
      "INSTALLATION FAILED: values don't meet the specifications of the schema(s) in the following chart(s):\nquince:\n- replicaCount: Invalid type. Expected: integer, given: string",
    ),
    'a file that is not committed': flux(
      "kustomize build failed: accumulating resources: accumulation err='accumulating resources from 'web.yaml': open /tmp/kustomization-311/web.yaml: no such file or directory'",
    ),
    'a variable without a value': flux('post build failed for \'web\': variable not set (strict mode): "REGION"'),
    'a secret nobody can read': flux(
      "secrets decryption failed: failed to decrypt and format 'Secret/quince/web': cannot get sops data key",
    ),
    'a plugin of Argo CD': {
      ...argo(
        'rpc error: code = Unknown desc = Manifest generation error (cached): plugin sidecar failed. error generating manifests in cmp',
      ),
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the path is not there': {
      ...argo('rpc error: code = Unknown desc = Manifest generation error (cached): deploy/quince: app path does not exist'),
      by: 'notThere',
    },
    'rendered since': {
      evidence: {
        'terminal.txt': `$ helm upgrade quince ./quince\nError: UPGRADE FAILED: ${nil}\n$ helm upgrade quince ./quince\nRelease "quince" has been upgraded. Happy Helming!\n`,
      },
      by: 'since',
    },
  },
  asks: { 'what helm says': { ...helm(`UPGRADE FAILED: ${nil}`), for: 'objects' } },
});
