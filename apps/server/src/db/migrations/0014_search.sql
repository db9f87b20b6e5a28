-- What a search compares: words without accents, case or signs. Nothing but what every PostgreSQL has; no name that a restore could miss.
CREATE FUNCTION search_key(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(
    regexp_replace(
      translate(replace(replace(replace(normalize(lower(value), NFD), 'œ', 'oe'), 'æ', 'ae'), 'ß', 'ss'), 'øłđ', 'old'),
      '[\u0300-\u036f]', '', 'g'),
    '[^a-z0-9]+', ' ', 'g'))
$$;
--> statement-breakpoint
-- Kept by the database itself wherever rows are written, so that no writer can forget it. The name comes first: what is found early ranks first.
ALTER TABLE participants ADD COLUMN search text GENERATED ALWAYS AS (search_key(
  name || ' ' || email || ' ' || siren || ' ' || regexp_replace(phone, '\D', '', 'g') || ' ' || address || ' ' || postal_code || ' ' || city)) STORED;
--> statement-breakpoint
ALTER TABLE points ADD COLUMN search text GENERATED ALWAYS AS (search_key(prm || ' ' || label || ' ' || address)) STORED;
--> statement-breakpoint
ALTER TABLE operations ADD COLUMN search text GENERATED ALWAYS AS (search_key(
  name || ' ' || coalesce(acc_number, '') || ' ' || pmo_name || ' ' || address || ' ' || postal_code || ' ' || city)) STORED;
--> statement-breakpoint
ALTER TABLE projects ADD COLUMN search text GENERATED ALWAYS AS (search_key(
  name || ' ' || address || ' ' || postal_code || ' ' || city)) STORED;
--> statement-breakpoint
ALTER TABLE documents ADD COLUMN search text GENERATED ALWAYS AS (search_key(label)) STORED;
--> statement-breakpoint
ALTER TABLE curve_imports ADD COLUMN search text GENERATED ALWAYS AS (search_key(name)) STORED;
--> statement-breakpoint
ALTER TABLE distributor_files ADD COLUMN search text GENERATED ALWAYS AS (search_key(name || ' ' || kind)) STORED;
