-- Id of the first line of that file, since inodes are used again; '': an older version wrote the position.
ALTER TABLE ledger_position ADD COLUMN first_id TEXT NOT NULL DEFAULT ''
