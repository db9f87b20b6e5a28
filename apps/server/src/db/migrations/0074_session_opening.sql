ALTER TABLE "sessions" ADD COLUMN "opened_with" text DEFAULT 'password' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "opened_for" integer;--> statement-breakpoint
-- A provider's session was for its company alone already. Of the others only the password is certain: the weakest that it can be.
UPDATE "sessions" SET "opened_with" = 'sso', "opened_for" = "company_id" WHERE "sso_connection_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_opened_for" CHECK ("sessions"."opened_for" is null or "sessions"."opened_for" = "sessions"."company_id");--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_sso_for_one_company" CHECK ("sessions"."opened_with" <> 'sso' or "sessions"."opened_for" is not null);