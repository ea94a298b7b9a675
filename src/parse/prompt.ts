/** A line on which somebody typed a command, with the host it was typed on where the prompt shows it. */
export interface Prompt {
  readonly host?: string;
  readonly command: string;
}

const PROGRAMS =
  'kubectl|oc|k|sudo|journalctl|systemctl|docker|crictl|nerdctl|podman|ctr|containerd|crio|kubeadm|kubelet|k3s|microk8s|minikube|helm|dmesg|cat|less|tail|head|grep|egrep|zgrep|find|ls|ip|ss|netstat|ps|stat|uname|lsmod|modprobe|mount|df|free|lsblk|etcdctl|calicoctl|cilium|curl|openssl|iptables|iptables-save|sysctl|aa-status|runc|hostnamectl|getconf|nvidia-smi|multipath|iscsiadm|showmount|rpm|dpkg|apt|yum|dnf|echo|vi|vim|nano|cd|which|command|strace|swapon|top|date|timedatectl|ping|nc|telnet|nslookup|dig|argocd|flux|istioctl|longhornctl|talosctl|rke2|export|watch|time|for|while|kill|pkill|rm|mkdir|cp|mv|sed|awk|tee|touch|chmod|chown|ln|service|getenforce|setenforce|ausearch|gcloud|aws|az|eksctl|wget|terraform|kind|k3d|velero|kustomize|lsof|tcpdump|traceroute|conntrack|ipvsadm|brctl|ethtool|bridge|sestatus|cilium-dbg|kubelogin|skaffold|linkerd';

const STARTS_WITH_PROGRAM = new RegExp(`^(?:${PROGRAMS})(?=\\s|$)`);
const BRACKETED = /^\[(?:[^\s@\]]{1,64})@(?<host>[\w.-]{1,128})[ :][^\]]{0,128}\][#$%] ?(?<command>.*)$/;
const USER_AT_HOST = /^(?:\([^)]{1,64}\) ?)?(?<user>[\w.-]{1,64})@(?<host>[\w.-]{1,128})[: ] ?[\w.~/-]{0,128} ?[#$%] ?(?<command>.*)$/;
const MAC = /^(?<host>[\w-]{1,64}):[^\s]{1,128} [\w.-]{1,64}[#$%] (?<command>.*)$/;
const SUSE = /^(?<host>[\w-]{1,64}):[~/][^\s]{0,128} # (?<command>.*)$/;
const NAMED = /^(?<host>[\w.-]{1,64}) ?[$#%] (?<command>.*)$/;
const ANGLE = /^[\w.-]{1,64}@(?<host>[\w.-]{1,128}):[\w.~/-]{0,128}> ?(?<command>.*)$/;
const POWERSHELL = /^PS [A-Z]:\\[^>]{0,200}> ?(?<command>.*)$/;
const ARROW = /^[➜❯λ] +(?<command>.*)$/;
/** BusyBox and Alpine show the folder alone. */
const FOLDER = /^(?:~|\/[\w./-]{0,100}) ?[#$] +(?<command>.*)$/;
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
  const bare = (BARE.exec(text) ?? FOLDER.exec(text))?.groups?.['command'];
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
  /^(?:sudo +)?(?:(?:kubectl|oc) +(?:-|get|describe|logs|top|apply|create|delete|exec|events|version|cluster-info|auth|rollout|drain|cordon|uncordon|taint|edit|scale|patch|wait|run|replace|port-forward|config)|journalctl +-|systemctl +(?:status|restart|start|cat|show|is-active)|docker +(?:ps|info|inspect|logs|version)|crictl +(?:ps|pods|info|inspect|inspectp|logs|version|images)|containerd +(?:config|--version)|kubeadm +(?:init|join|reset|version|certs|upgrade|config|token|alpha)|(?:ETCDCTL_API=3 +)?etcdctl +(?:-|endpoint|member|alarm|get|snapshot)|calicoctl +(?:-|node|get|ipam)|cilium(?:-dbg)? +(?:status|connectivity|endpoint|health|node)|nvidia-smi(?: +-[^\n]*)?$|helm +(?:install|upgrade|list|ls|status|rollback|uninstall|history|get|template|repo|dependency)|dmesg(?: |$)|cat +\/)[^\n]*$/;

const PIPED = '(?: *(?:\\||2?>) *\\S.{0,200})?';

/** Commands of a host in the forms people type; whatever else follows the program's name makes it a sentence. */
const SURE_HOST_COMMAND = new RegExp(
  `^(?:sudo +)?(?:${[
    'ip(?: -[\\w]{1,10}){0,3} (?:a|ad|addr|address|l|li|link|r|ro|route|n|neigh|rule)(?: (?:s|sh|show|ls|list|get)(?: (?:dev )?[\\w.:/-]{1,60}){0,3})?',
    'ifconfig(?: -a| [\\w.]{2,20})?',
    'brctl show(?: [\\w.-]{1,20})?',
    'ip6?tables(?:-save|-legacy|-nft)?(?: -[\\w-]{1,20}(?: [\\w-]{1,40})?){0,6}',
    'ip6?tables(?:-legacy|-nft)?-save(?: -c)?',
    'nft list ruleset',
    'ipvsadm -\\w{1,6}',
    'ethtool(?: -\\w)? [\\w.-]{2,20}',
    '(?:ss|netstat) -\\w{1,10}',
    'route -n',
    'lsof -i ?\\S{0,40}',
    'df(?: -\\w{1,6})?(?: /\\S{0,200})?',
    'free -\\w{1,3}',
    'swapon (?:-s|--show|--summary)',
    'findmnt(?: -{1,2}\\S{1,20}| [A-Z,]{4,80}| /\\S{0,200}){0,6}',
    'mount(?= *[|])',
    'lsblk(?: -\\S{1,30}| /\\S{1,60}){0,4}',
    'multipath -\\w{1,4}',
    'iscsiadm -\\S.{0,200}',
    'showmount -e \\S{1,120}',
    'sysctl (?:-\\w{1,3}|(?:net|fs|kernel|vm)[.]\\S{2,80})(?: \\S{1,80}){0,6}',
    'lsmod',
    'ulimit -\\w{1,3}',
    'timedatectl(?: status)?',
    'chronyc (?:-n )?(?:tracking|sources)(?: -v)?',
    'getenforce|sestatus|aa-status|ntpstat|hostnamectl|ufw status(?: verbose)?|firewall-cmd --(?:state|list-all)',
    'openssl (?:x509|s_client) -\\S.{0,300}',
    'strace -\\S.{0,200}',
    'ping6?(?: -\\w{1,3}(?: ?[\\d.]{1,6})?){0,4} [\\w.:-]{3,120}(?: -\\w{1,3}(?: ?[\\d.]{1,6})?){0,4}',
    'curl (?:-\\S|https?://).{0,300}',
    '(?:nc|ncat) -\\w{1,6} .{3,120}',
    'telnet [\\w.:-]{3,120} \\d{1,5}',
    '(?:nslookup|dig) (?:@\\S{1,80} |-\\S{1,20} |[+]\\S{1,20} ){0,3}[\\w-]{1,60}(?:[.][\\w-]{1,60}){1,8}[.]?(?: [@+]?\\S{1,60}){0,3}',
    'systemctl (?:list-units|list-unit-files|is-enabled|is-failed)(?: \\S{1,60}){0,4}',
  ].join('|')})${PIPED}$`,
);

/** A line that is a typed command although no prompt stands before it. */
export function parseBareCommand(line: string): Prompt | undefined {
  const text = line.trim();
  // Commands begin with a small letter, most lines of logs do not.
  if (
    text.length > 400 ||
    // A sentence that begins with a command and goes on in Chinese or Japanese: 「docker ps 报错：…」.
    /[：，。！？；、]/.test(text) ||
    !((text >= 'a' && text < '{') || text.startsWith('ETCDCTL_API=')) ||
    !(SURE_COMMAND.test(text) || SURE_HOST_COMMAND.test(text))
  )
    return undefined;
  return { command: text };
}
