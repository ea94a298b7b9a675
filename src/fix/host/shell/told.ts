/** Any bytes as one word of a line. */
export const ENCODE = String.raw`
if has base64; then
  encode() { printf 'b:'; base64 | tr -d '\n'; }
else
  encode() { printf 'x:'; od -An -v -tx1 | tr -d ' \n'; }
fi
word() { printf '%s' "$1" | encode; }
`;

/** A line for each fix in the journal. One that was cut off is \`begun\`, in whatever direction it was going. */
export const SHOW_JOURNAL = String.raw`
about_fix() { sed -n "s/^$1 //p" "\${dir}about" 2>/dev/null | sed 1q; }
for dir in "$R"/var/lib/podcause/fixes/*/; do
  [ -f "\${dir}state" ] || continue
  fix=\${dir%/}
  last=$(awk '$0 == "run" || $0 == "undo" || $0 == "rollback" { last = "begun" }
    $1 == "end" && ($2 == "done" || $2 == "undone" || $2 == "rolled-back") { last = $2 }
    END { print last == "" ? "begun" : last }' "\${dir}state")
  printf 'journal %s %s %s %s\n' "$(word "\${fix##*/}")" "$last" "$(word "$(about_fix at)")" "$(word "$(about_fix title)")"
done
`;
