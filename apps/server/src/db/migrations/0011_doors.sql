-- Who keeps the public site is said, not guessed from a number: the company that keeps it today goes on.
ALTER TABLE "companies" ADD COLUMN "keeps_site" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
UPDATE "companies" SET "keeps_site" = true WHERE "id" = 1;
--> statement-breakpoint
CREATE UNIQUE INDEX "companies_keeper" ON "companies" USING btree ("keeps_site") WHERE "companies"."keeps_site";
--> statement-breakpoint
-- A site that no company keeps yet is nobody's: whoever registers first does not find it with its number.
UPDATE "contents" SET "company_id" = 0 WHERE "company_id" = 1 AND NOT EXISTS (SELECT 1 FROM "companies" WHERE "keeps_site");
--> statement-breakpoint
INSERT INTO "content_versions" ("company_id", "content_id", "number", "event", "draft", "saved_at", "saved_by")
SELECT 0, "content_id", "number", "event", "draft", "saved_at", "saved_by" FROM "content_versions"
 WHERE "company_id" = 1 AND NOT EXISTS (SELECT 1 FROM "companies" WHERE "keeps_site");
--> statement-breakpoint
UPDATE "site_revisions" SET "company_id" = 0 WHERE "company_id" = 1 AND NOT EXISTS (SELECT 1 FROM "companies" WHERE "keeps_site");
--> statement-breakpoint
UPDATE "seo_records" SET "company_id" = 0 WHERE "company_id" = 1 AND NOT EXISTS (SELECT 1 FROM "companies" WHERE "keeps_site");
--> statement-breakpoint
UPDATE "redirects" SET "company_id" = 0 WHERE "company_id" = 1 AND NOT EXISTS (SELECT 1 FROM "companies" WHERE "keeps_site");
--> statement-breakpoint
UPDATE "requests" SET "company_id" = 0 WHERE "company_id" = 1 AND NOT EXISTS (SELECT 1 FROM "companies" WHERE "keeps_site");
--> statement-breakpoint
UPDATE "bookings" SET "company_id" = 0 WHERE "company_id" = 1 AND NOT EXISTS (SELECT 1 FROM "companies" WHERE "keeps_site");
--> statement-breakpoint
-- What was told and noted under that number stays there, and no company is given it.
SELECT setval('companies_id_seq', 1) WHERE EXISTS (SELECT 1 FROM "event_heads" WHERE "company_id" = 1) AND NOT EXISTS (SELECT 1 FROM "companies");
--> statement-breakpoint
-- Accounts that are here are taken at their word; new ones prove their address.
ALTER TABLE "users" ADD COLUMN "email_verified_at" timestamp with time zone;
--> statement-breakpoint
UPDATE "users" SET "email_verified_at" = now();
--> statement-breakpoint
CREATE TABLE "email_verifications" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"email" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "email_verifications" ADD CONSTRAINT "email_verifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
