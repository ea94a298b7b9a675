import { shellText } from './base.ts';

/** Steps that write, make or remove one file: it is always wholly as before or wholly as after. */
export const FILES = shellText(String.raw`
file_state() {
  found=$(sha_of "$R$path")
  if [ "$found" = "$after" ]; then
    printf after
  elif [ "$found" = "$before" ]; then
    printf before
  else
    printf other
  fi
}

same_context() {
  has chcon && has selinuxenabled && selinuxenabled || return 0
  chcon --reference="$1" "$2" 2>/dev/null || :
}

# A file beside its target takes the target's place in one rename.
take_place() {
  flush "$1" && mv -f "$1" "$2" && flush "\${2%/*}"
}

new_file() {
  new=$1
  rm -f "$new"
  if [ -f "$R$path" ]; then
    cp -p "$R$path" "$new" || return 1
    same_context "$R$path" "$new"
  else
    : >"$new" && chmod "$mode" "$new" || return 1
  fi
  build "$n" "$R$path" >"$new" || return 1
  [ "$(sha_of "$new")" = "$after" ]
}

beside() { printf '%s/.podcause-%s-%s.new' "\${1%/*}" "$id" "$n"; }

# Tried before anything is changed.
file_try() {
  dir=$R\${path%/*}
  spot=$(beside "$R$path")
  [ -d "$dir" ] || spot=$journal/$n.new
  if ! new_file "$spot"; then
    rm -f "$spot"
    trouble="the new $path could not be written"
    return 1
  fi
  said_by_check=$(check "$n" 2>&1)
  checked=$?
  rm -f "$spot"
  [ "$checked" = 0 ] && return 0
  tell_last "$said_by_check"
  trouble="the new $path did not pass its check"
  return 1
}

file_save() {
  case $kind in
    create)
      missing=
      dir=\${path%/*}
      while [ -n "$dir" ] && [ ! -d "$R$dir" ]; do
        missing="$missing$dir
"
        dir=\${dir%/*}
      done
      printf '%s' "$missing" | keep
      ;;
    *)
      cp -p "$R$path" "$journal/$n.backup.part" || return 1
      same_context "$R$path" "$journal/$n.backup.part"
      [ "$(sha_of "$journal/$n.backup.part")" = "$before" ] || return 1
      take_place "$journal/$n.backup.part" "$journal/$n.backup"
      ;;
  esac
}

reload_units() {
  case $path in /etc/systemd/*) within 60 systemctl daemon-reload ;; esac
}

file_act() {
  if [ "$kind" = remove ]; then
    rm -f "$R$path" && flush "$R\${path%/*}" && reload_units
    return
  fi
  if [ ! -d "$R\${path%/*}" ]; then
    (umask 022 && mkdir -p "$R\${path%/*}") || return 1
  fi
  spot=$(beside "$R$path")
  new_file "$spot" || return 1
  point "$n.written"
  take_place "$spot" "$R$path" && reload_units
}

file_undo() {
  rm -f "$(beside "$R$path")"
  case $(file_state) in
    before) ;;
    other)
      if [ -z "$force" ]; then
        trouble="$path was changed by someone else or by a later fix and was left as it is"
        [ ! -f "$journal/$n.backup" ] || trouble="$trouble; the file from before is $journal/$n.backup"
        return 1
      fi
      [ ! -f "$R$path" ] || cp -p "$R$path" "$journal/$n.replaced" || return 1
      file_restore || return 1
      ;;
    after) file_restore || return 1 ;;
  esac
  if [ "$kind" = create ] && [ -f "$journal/$n.was" ]; then
    while read -r dir; do
      rmdir "$R$dir" 2>/dev/null || :
    done <"$journal/$n.was"
  fi
  reload_units
}

file_restore() {
  if [ "$kind" = create ]; then
    rm -f "$R$path" && flush "$R\${path%/*}"
    return
  fi
  [ "$(sha_of "$journal/$n.backup")" = "$before" ] || {
    trouble="the backup of $path in $journal is not what it was"
    return 1
  }
  spot=$(beside "$R$path")
  rm -f "$spot"
  cp -p "$journal/$n.backup" "$spot" || return 1
  [ ! -f "$R$path" ] || same_context "$R$path" "$spot"
  [ "$(sha_of "$spot")" = "$before" ] || return 1
  point "undo.$n.written"
  take_place "$spot" "$R$path"
}
`);
