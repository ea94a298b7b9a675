import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const app = (message: string) => ({
  evidence: {
    'app.txt': `Name:         quince\nNamespace:    argocd\nAPI Version:  argoproj.io/v1alpha1\nKind:         Application\nStatus:\n  Conditions:\n    Message:  ${message}\n    Type:     ComparisonError\n`,
  },
  confidence: 'certain' as const,
});
const refused =
  'Failed to load live state: failed to get cluster info for "https://orchard.example:6443": error synchronizing cache state : the server has asked for the client to provide credentials';

testCause(cause, {
  finds: {
    'its version is not had': {
      evidence: {
        'app.txt':
          'Conditions:\n  Message: failed to get cluster version for cluster "https://10.4.0.10:6443": Get "https://10.4.0.10:6443/version?timeout=32s": dial tcp 10.4.0.10:6443: i/o timeout\n  Type: ComparisonError\n',
      },
      confidence: 'certain',
    },
    'a token that ran out': app(refused),
    'a cluster that is away': app(
      'Failed to load live state: failed to get cluster info for "https://10.4.0.1:6443": error synchronizing cache state : Get "https://10.4.0.1:6443/version?timeout=32s": dial tcp 10.4.0.1:6443: i/o timeout',
    ),
    'a log line': {
      evidence: {
        'log.txt':
          '$ kubectl -n argocd logs argocd-application-controller-0\ntime="2025-03-04T08:10:57Z" level=error msg="failed to sync cluster https://10.4.0.1:6443: failed to load initial state of resource Pod: Unauthorized"\n',
      },
      confidence: 'certain',
    },
    'a cluster nobody registered': app('unable to find destination server: there are no clusters with this name: orchard'),
  },
  rulesOut: {
    'a webhook over there': {
      ...app(
        `${refused}; failed to load initial state of resource Certificate.cert-manager.io: conversion webhook for cert-manager.io/v1, Kind=Certificate failed: EOF`,
      ),
      by: 'webhook',
    },
    'rights that are missing': {
      ...app(
        'Failed to load live state: failed to get cluster info for "https://10.4.0.1:6443": error synchronizing cache state : failed to load initial state of resource Secret: secrets is forbidden: User "system:serviceaccount:kube-system:argocd-manager" cannot list resource "secrets" in API group "" at the cluster scope',
      ),
      by: 'rights',
    },
  },
  asks: { 'what Argo CD says': { evidence: { 'note.txt': `${refused}\n` }, for: 'objects' } },
});
