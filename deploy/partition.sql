-- Partition the two tables that grow with every move by the hash of the match id, into sixteen parts each.
-- Stop the service first: psql --single-transaction -v ON_ERROR_STOP=1 -f deploy/partition.sql "$DATABASE_URL"

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['games_event', 'games_move'] LOOP
        EXECUTE format('ALTER TABLE %I RENAME TO %I', name, name || '_whole');
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING CONSTRAINTS) PARTITION BY HASH (match_id)', name, name || '_whole');
        FOR part IN 0..15 LOOP
            EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 16, REMAINDER %s)', name || '_' || part, name, part);
        END LOOP;
        EXECUTE format('INSERT INTO %I SELECT * FROM %I', name, name || '_whole');
        EXECUTE format('DROP TABLE %I', name || '_whole');
        EXECUTE format('CREATE SEQUENCE %I OWNED BY %I.id', name || '_ids', name);
        EXECUTE format('SELECT setval(%L, (SELECT coalesce(max(id), 0) + 1 FROM %I))', name || '_ids', name);
        EXECUTE format('ALTER TABLE %I ALTER id SET DEFAULT nextval(%L)', name, name || '_ids');
        EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (match_id, id)', name);
        EXECUTE format('CREATE INDEX ON %I (id)', name);
        EXECUTE format('ALTER TABLE %I ADD FOREIGN KEY (match_id) REFERENCES games_match DEFERRABLE INITIALLY DEFERRED', name);
    END LOOP;
END
$$;

ALTER TABLE games_event ADD CONSTRAINT one_event_per_number UNIQUE (match_id, number);
ALTER TABLE games_move ADD CONSTRAINT one_move_per_number UNIQUE (match_id, number);
