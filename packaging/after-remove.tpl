#!/bin/bash
# Undoes what the after-install script of electron-builder does, and says what is left. A package must not touch home
# folders (Debian policy 10.7), so purging names the data instead of deleting it.

case "${1:-}" in
  upgrade | failed-upgrade | abort-install | abort-upgrade | disappear)
    exit 0
    ;;
esac

if type update-alternatives >/dev/null 2>&1; then
  update-alternatives --remove '${executable}' '/opt/${sanitizedProductName}/${executable}' || true
else
  rm -f '/usr/bin/${executable}'
fi

profile='/etc/apparmor.d/${executable}'
if [ -f "$profile" ]; then
  if apparmor_status --enabled >/dev/null 2>&1 && command -v apparmor_parser >/dev/null 2>&1; then
    apparmor_parser --remove "$profile" || true
  fi
  rm -f "$profile"
fi

if [ "${1:-}" = purge ]; then
  echo "Andiron is removed. Each user's data is still in ~/.local/share/andiron."
  echo "To delete it: rm -r ~/.local/share/andiron ~/.cache/andiron-updater"
fi
exit 0
