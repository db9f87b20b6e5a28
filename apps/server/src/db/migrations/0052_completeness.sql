ALTER TABLE "curve_months" ADD COLUMN "mask" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "curve_months" ADD COLUMN "letters" text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE "curve_months" m SET "mask" = d.mask, "letters" = d.letters FROM (
  SELECT company_id, point_id, date_trunc('month', day)::date AS month,
    bit_or(1 << (extract(day from day)::int - 1)) AS mask,
    string_agg(CASE WHEN present = 0 THEN 'm' WHEN present < expected THEN 'p' WHEN quality = 4 THEN 'd'
      WHEN quality = 3 THEN 'e' WHEN quality = 2 THEN 'c' ELSE 'r' END, '' ORDER BY day) AS letters
  FROM "curve_days" WHERE superseded_at IS NULL GROUP BY 1, 2, 3) d
WHERE m.company_id = d.company_id AND m.point_id = d.point_id AND m.month = d.month;
