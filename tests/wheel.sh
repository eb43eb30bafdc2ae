#!/usr/bin/env bash
# Build the wheel, install it into an empty environment, and use it from a folder that has an `app` and
# a `store` of its own: neither may shadow ours, nor ours theirs.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
"$BUILD" -m build --no-isolation --wheel --outdir "$work/dist" "$root" >/dev/null
"$PYTHON" -m venv "$work/env"
"$work/env/bin/python" -m pip install -q --disable-pip-version-check -c "$root/requirements.lock" "$work"/dist/*.whl
mkdir -p "$work/shop/app" "$work/shop/store"
echo 'WHOSE = "the shop"' > "$work/shop/app/__init__.py"
echo 'raise SystemExit("the shop'"'"'s store was imported instead of ours")' > "$work/shop/store/__init__.py"
cd "$work/shop"
"$work/env/bin/python" -c 'import app, bothways.app, bothways.store; assert app.WHOSE == "the shop"'
"$work/env/bin/bothways" demo --headless > "$work/report.txt"
"$work/env/bin/python" -m bothways --db bothways-demo/bothways.db list > "$work/list.txt"
"$work/env/bin/bothways" --db bothways-demo/bothways.db report refund-flow --format html -o "$work/report.html"
grep -q "</html>" "$work/report.html"  # its templates came along
grep -q "refund-flow" "$work/list.txt"
grep -q "refund-flow" "$work/report.txt"
echo "wheel: installed into an empty environment, ran the demo from a folder with its own app/ and store/"
