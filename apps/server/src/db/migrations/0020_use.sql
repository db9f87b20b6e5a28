-- Texts of the site, compared as they are read and as they are being written: folding them at each search read their whole body for its title.
ALTER TABLE contents ADD COLUMN search text GENERATED ALWAYS AS (search_key(
  coalesce(draft->>'title', '') || ' ' || coalesce(draft->>'summary', ''))) STORED;
--> statement-breakpoint
ALTER TABLE contents ADD COLUMN search_live text GENERATED ALWAYS AS (search_key(
  coalesce(live->>'title', '') || ' ' || coalesce(live->>'summary', ''))) STORED;
