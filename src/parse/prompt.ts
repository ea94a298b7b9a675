/** A line on which somebody typed a command, with the host it was typed on where the prompt shows it. */
export interface Prompt {
  readonly host?: string;
  readonly command: string;
}

const PROGRAMS =
  'kubectl|oc|k|sudo|journalctl|systemctl|docker|crictl|nerdctl|podman|ctr|containerd|crio|kubeadm|kubelet|k3s|microk8s|minikube|helm|dmesg|cat|less|tail|head|grep|egrep|zgrep|find|ls|ip|ss|netstat|ps|stat|uname|lsmod|modprobe|mount|df|free|lsblk|etcdctl|calicoctl|cilium|curl|openssl|iptables|iptables-save|sysctl|aa-status|runc|hostnamectl|getconf|nvidia-smi|multipath|iscsiadm|showmount|rpm|dpkg|apt|yum|dnf|echo|vi|vim|nano|cd|which|command|strace|swapon|top|date|timedatectl|ping|nc|telnet|nslookup|dig|argocd|flux|istioctl|longhornctl|talosctl|rke2|export|watch|time|for|while|kill|pkill|rm|mkdir|cp|mv|sed|awk|tee|touch|chmod|chown|ln|service|getenforce|setenforce|ausearch|gcloud|aws|az|eksctl';

const STARTS_WITH_PROGRAM = new RegExp(`^(?:${PROGRAMS})(?=\\s|$)`);
const BRACKETED = /^\[(?:[^\s@\]]{1,64})@(?<host>[\w.-]{1,128})[ :][^\]]{0,128}\][#$%] ?(?<command>.*)$/;
const USER_AT_HOST = /^(?:\([^)]{1,64}\) ?)?(?<user>[\w.-]{1,64})@(?<host>[\w.-]{1,128})[: ] ?[\w.~/-]{0,128} ?[#$%] ?(?<command>.*)$/;
const MAC = /^(?<host>[\w-]{1,64}):[^\s]{1,128} [\w.-]{1,64}[#$%] (?<command>.*)$/;
const SUSE = /^(?<host>[\w-]{1,64}):[~/][^\s]{0,128} # (?<command>.*)$/;
const NAMED = /^(?<host>[\w.-]{1,64}) ?[$#%] (?<command>.*)$/;
const ANGLE = /^[\w.-]{1,64}@(?<host>[\w.-]{1,128}):[\w.~/-]{0,128}> ?(?<command>.*)$/;
const POWERSHELL = /^PS [A-Z]:\\[^>]{0,200}> ?(?<command>.*)$/;
const ARROW = /^[➜❯λ] +(?<command>.*)$/;
const BARE = /^(?:[$#%>]|\$\$) +(?<command>.*)$/;

/** Reads a prompt line; a bare `$` or `#` counts only before a known program, since both start ordinary text too. */
export function parsePrompt(line: string): Prompt | undefined {
  if (line.length > 4000) return undefined;
  const text = line.trimStart();
  for (const pattern of [BRACKETED, USER_AT_HOST, SUSE, MAC]) {
    const groups = pattern.exec(text)?.groups;
    if (groups) return { host: groups['host'] ?? '', command: (groups['command'] ?? '').trim() };
  }
  for (const pattern of [NAMED, ANGLE]) {
    const groups = pattern.exec(text)?.groups;
    const command = (groups?.['command'] ?? '').trim();
    if (groups && STARTS_WITH_PROGRAM.test(command)) return { host: groups['host'] ?? '', command };
  }
  const windows = POWERSHELL.exec(text)?.groups?.['command'];
  if (windows !== undefined) return { command: windows.trim() };
  const arrow = ARROW.exec(text)?.groups?.['command'];
  if (arrow !== undefined) return { command: afterFolder(arrow) };
  const bare = BARE.exec(text)?.groups?.['command'];
  if (bare !== undefined && STARTS_WITH_PROGRAM.test(bare) && !isComment(text, bare)) return { command: bare.trim() };
  return undefined;
}

/** Programs whose names begin English sentences too; as a command they go on with an option, a path, a number, or nothing. */
const ALSO_WORDS = /^(?:for|while|time|watch|kill|find|head|tail|touch|mount|free|tee|top|date|export)(?:\s+(?<next>\S+)|\s*$)/;

/** `# for containers run by docker` in a configuration file is nobody's prompt. */
function isComment(line: string, command: string): boolean {
  const words = line.startsWith('#') ? ALSO_WORDS.exec(command) : null;
  const next = words?.groups?.['next'];
  if (!words || next === undefined || /^for \w+ in\s|^while (?:true|read)\b/.test(command)) return false;
  return !/^[-+/.~$|&<>:[(]|[=/]|^\d/.test(next) && !(/^(?:time|watch)\b/.test(command) && STARTS_WITH_PROGRAM.test(next));
}

/** Arrow prompts show the folder, and a git branch, before the command. */
function afterFolder(text: string): string {
  const words = text.split(/\s+/, 4);
  const at = words.findIndex((word) => STARTS_WITH_PROGRAM.test(word));
  return at <= 0 ? text.trim() : text.slice(text.indexOf(words[at] ?? '')).trim();
}

const SURE_COMMAND =
  /^(?:sudo +)?(?:(?:kubectl|oc) +(?:-|get|describe|logs|top|apply|delete|exec|events|version|cluster-info|auth|rollout)|journalctl +-|systemctl +(?:status|restart|start|cat|show|is-active)|docker +(?:ps|info|inspect|logs|version)|crictl +(?:ps|pods|info|inspect|inspectp|logs|version|images)|containerd +(?:config|--version)|kubeadm +(?:init|join|reset|version|certs)|dmesg(?: |$)|cat +\/)[^\n]*$/;

/** A line that is a typed command although no prompt stands before it. */
export function parseBareCommand(line: string): Prompt | undefined {
  const text = line.trim();
  if (text.length > 400 || !SURE_COMMAND.test(text)) return undefined;
  return { command: text };
}
