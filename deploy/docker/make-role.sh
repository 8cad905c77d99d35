#!/bin/sh
# PostgreSQL's container runs this once, for a new data folder. The servers' role owns its database and nothing else: a
# superuser's role would let an intruder in a server run programs in this container. The superuser loses its password, so that
# it connects only through the socket inside the container: docker compose exec postgres psql -U postgres
set -e
psql --no-psqlrc --quiet -v ON_ERROR_STOP=1 -v password="$POSTGRES_PASSWORD" -U postgres -d postgres <<'SQL'
CREATE ROLE site LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'password';
CREATE DATABASE site OWNER site ENCODING 'UTF8' TEMPLATE template0;
ALTER ROLE postgres PASSWORD NULL;
SQL
