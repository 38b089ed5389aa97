#!/usr/bin/env bash
# secrets.sh FOLDER: creates the secrets that compose.yaml reads, one file for each. Existing files are
# kept.
set -euo pipefail

folder=${1:?usage: secrets.sh FOLDER}
umask 077
mkdir -p "$folder"

# make NAME TEXT: writes no newline, because some readers would take it as part of the secret.
make() { [[ -e $folder/$1 ]] || printf '%s' "$2" >"$folder/$1"; }

random() { od -An -N "$1" -tx1 /dev/urandom | tr -d ' \n'; }

make database_password "$(random 24)"
make database_url "postgres://retouch:$(<"$folder/database_password")@database:5432/retouch"
make s3_access_key_id "retouch-$(random 6)"
make s3_secret_access_key "$(random 24)"
make metrics_token "$(random 24)"
make secret_key "$(head -c 32 /dev/urandom | base64 | tr -d '\n')"
# The nodes run as another user, who must be able to read the mounted files. The folder's mode keeps
# everyone else out.
chmod 700 "$folder"
chmod 644 "$folder"/*
