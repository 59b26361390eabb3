#!/bin/sh
# Runs once, when the database is made: the login of Turnout, which is no superuser, and its database (docs/operating/database.md).
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$TURNOUT_DATABASE_PASSWORD" --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
create role turnout login createrole password :'password';
create database turnout owner turnout;
SQL
