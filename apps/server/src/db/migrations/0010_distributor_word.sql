ALTER TABLE "enedis_credentials" ADD COLUMN "told_until" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "enedis_credentials" ADD COLUMN "refusing_since" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "sync_errors" ADD COLUMN "sha256" text;
