-- Id of the first line of that file, since inodes are used again; '': an older version wrote the position.
ALTER TABLE ledger_positions ADD COLUMN first_id text NOT NULL DEFAULT '';
