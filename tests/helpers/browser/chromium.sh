#!/bin/sh
# Chromium without two pages that its address bar loads for every window, because they cost more than ours. Without the
# permission to reach the local network, too: the shell without windows cannot ask for it, and a document that a test
# answers itself needs it. Playwright turns other features off, and Chromium takes only the last of two such lists.
for argument; do
  shift
  case $argument in
    --disable-features=*) argument=$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup,LocalNetworkAccessChecks ;;
  esac
  set -- "$@" "$argument"
done
exec "$CHROMIUM" "$@"
