#!/bin/sh
# Starts Chromium without two features. First, two pages of the address bar, which cost more CPU than ours. Second, the
# permission prompt for the local network: the headless shell cannot show it, and documents that a test serves need it.
# The list repeats Playwright's own disabled features, because Chromium uses only the last of two such lists.
for argument; do
  shift
  case $argument in
    --disable-features=*) argument=$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup,LocalNetworkAccessChecks ;;
  esac
  set -- "$@" "$argument"
done
exec "$CHROMIUM" "$@"
