export const ID = 'b0a1'.repeat(16);

export const WHOLE = `Name:                 cart-7d4b9c6f5d-t8x2m
Namespace:            shop
Priority:             2000001000
Priority Class Name:  system-node-critical
Runtime Class Name:   sandboxed
Service Account:      cart
Node:                 worker-4/10.20.30.40
Start Time:           Tue, 05 Mar 2024 09:00:00 +0800
Labels:               app=cart
                      pod-template-hash=7d4b9c6f5d
Annotations:          example.com/checksum: 12ab
                      example.com/note: Status: fine
Status:               Running
IP:                   10.20.30.40
IPs:
  IP:           10.20.30.40
Controlled By:  ReplicaSet/cart-7d4b9c6f5d
Init Containers:
  prepare:
    Container ID:  containerd://${ID}
    Image:         registry.example/prepare:1
    Image ID:      registry.example/prepare@sha256:00
    Port:          <none>
    Host Port:     <none>
    Command:
      sh
      -c
      echo one

      echo two
    State:          Terminated
      Reason:       Completed
      Exit Code:    0
      Started:      Tue, 05 Mar 2024 09:00:05 +0800
      Finished:     Tue, 05 Mar 2024 09:00:07 +0800
    Ready:          True
    Restart Count:  0
    Environment:    <none>
    Mounts:
      /var/run/secrets/kubernetes.io/serviceaccount from token (ro)
Containers:
  web:
    Container ID:  containerd://${ID.replace('b', 'c')}
    Image:         registry.example/cart:7
    Image ID:      registry.example/cart@sha256:01
    Port:          8080/TCP
    Host Port:     0/TCP
    Args:
      --port
      8080
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Message:      panic: cannot open store
goroutine 1 [running]:

main.main()
      Exit Code:    137
      Signal:       9
      Started:      Tue, 05 Mar 2024 09:10:00 +0800
      Finished:     Tue, 05 Mar 2024 09:10:31 +0800
    Ready:          False
    Restart Count:  17
    Limits:
      cpu:     500m
      memory:  256Mi
    Requests:
      cpu:      100m
      memory:   64Mi
    Liveness:   http-get http://:8080/healthz delay=15s timeout=1s period=10s #success=1 #failure=3
    Startup:    exec [cat /tmp/ready] delay=0s timeout=2s period=5s #success=1 #failure=30
    Environment Variables from:
      settings  ConfigMap  Optional: true
    Environment:
      State:     not a state
      LEVEL:     info
    Mounts:
      /data from data (rw)
  proxy:
    Image:          registry.example/proxy:3
    Port:           <none>
    Host Port:      <none>
    State:          Running
      Started:      Tue, 05 Mar 2024 09:00:09 +0800
    Ready:          True
    Restart Count:  0
    Environment:    <none>
    Mounts:         <none>
Conditions:
  Type                        Status
  PodReadyToStartContainers   True 
  Initialized                 True 
  Ready                       False 
Volumes:
  data:
    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)
    ClaimName:  data-cart
    ReadOnly:   false
  host:
    Type:          HostPath (bare host directory volume)
    Path:          /var/lib/cart
    HostPathType:  
  settings:
    Type:      ConfigMap (a volume populated by a ConfigMap)
    Name:      cart-settings
    Optional:  false
  token:
    Type:        Secret (a volume populated by a Secret)
    SecretName:  cart-token
    Optional:    false
  files:
    Type:      NFS (an NFS mount that lasts the lifetime of a pod)
    Server:    files.example
    Path:      /export
    ReadOnly:  false
QoS Class:       Burstable
Node-Selectors:  disk=ssd
                 kubernetes.io/os=linux
Tolerations:     node.kubernetes.io/not-ready:NoExecute op=Exists for 300s
                 node.kubernetes.io/unreachable:NoExecute op=Exists for 300s
Events:
  Type     Reason   Age                 From     Message
  ----     ------   ----                ----     -------
  Normal   Started  20m                 kubelet  Started container proxy
  Warning  BackOff  4s (x44 over 10m)   kubelet  Back-off restarting failed container web in pod cart-7d4b9c6f5d-t8x2m_shop(6a1b2c3d-4e5f-4061-9273-8495a6b7c8d9)`;

export const POD = 'Pod/shop/cart-7d4b9c6f5d-t8x2m';
export const WEB = 'Container/shop/cart-7d4b9c6f5d-t8x2m/web';
export const NAMED = { pod: POD, command: 'kubectl describe pod cart-7d4b9c6f5d-t8x2m -n shop', namespace: 'shop' };
