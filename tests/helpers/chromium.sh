#!/bin/sh
# Chromium as it is, but for the two pages that its own address bar loads for every window: nobody types there, and they
# cost more than ours. Playwright turns other features off, and of two such lists Chromium would take only the last.
for argument; do
  shift
  case $argument in
    --disable-features=*) argument=$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup ;;
  esac
  set -- "$@" "$argument"
done
exec "$CHROMIUM" "$@"
