#!/usr/bin/env bash
# secrets.sh FOLDER: makes the secrets that compose.yaml reads, each in a file of its own.
# What is there stays as it is.
set -euo pipefail

folder=${1:?the folder for the secrets}
umask 077
mkdir -p "$folder"

# make NAME TEXT: without a line end, which some readers would take for a part of the secret.
make() { [[ -e $folder/$1 ]] || printf '%s' "$2" >"$folder/$1"; }

random() { od -An -N "$1" -tx1 /dev/urandom | tr -d ' \n'; }

make database_password "$(random 24)"
make database_url "postgres://retouch:$(<"$folder/database_password")@database:5432/retouch"
make s3_access_key_id "retouch-$(random 6)"
make s3_secret_access_key "$(random 24)"
make metrics_token "$(random 24)"
# The nodes run as a user of their own, who reads what is mounted; the folder keeps others out.
chmod 700 "$folder"
chmod 644 "$folder"/*
