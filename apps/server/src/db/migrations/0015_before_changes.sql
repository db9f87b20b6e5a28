ALTER TABLE "curve_imports" ADD COLUMN "seen" jsonb;
