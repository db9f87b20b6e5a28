-- What a file does not say is asked; what was measured is replaced with consent only.
ALTER TABLE "curve_imports" ADD COLUMN "asked" jsonb DEFAULT '{"questions":[],"known":[]}'::jsonb NOT NULL;
--> statement-breakpoint
ALTER TABLE "curve_imports" ADD COLUMN "overwrite" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
-- A file of the watched folder waits for a person without having come from one.
ALTER TABLE "curve_imports" ALTER COLUMN "created_by" DROP NOT NULL;
