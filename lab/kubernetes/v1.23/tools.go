//go:build tools

// Package tools names the commands that the lab builds, so that go.mod keeps what they need.
package tools

import (
	_ "k8s.io/kubernetes/cmd/kubelet"
)
