-- What readers see of a content as French words, weighed: a title says more than a text.
ALTER TABLE contents ADD COLUMN search_words tsvector GENERATED ALWAYS AS (
  setweight(to_tsvector('pg_catalog.french', search_key(coalesce(live->>'title', ''))), 'A') ||
  setweight(to_tsvector('pg_catalog.french', search_key(coalesce(live->>'summary', ''))), 'B') ||
  setweight(to_tsvector('pg_catalog.french', search_key(coalesce(live->>'body', ''))), 'D')) STORED;
