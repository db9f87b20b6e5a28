CREATE TABLE "trusted_installations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"public_key" text NOT NULL,
	"added_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "company_copies" DROP CONSTRAINT "company_copies_state";--> statement-breakpoint
ALTER TABLE "company_copies" ADD COLUMN "preview" jsonb;--> statement-breakpoint
ALTER TABLE "company_copies" ADD COLUMN "confirmed_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "trusted_installations_key" ON "trusted_installations" USING btree ("public_key");--> statement-breakpoint
ALTER TABLE "company_copies" ADD CONSTRAINT "company_copies_state" CHECK ("company_copies"."state" in ('waiting', 'read', 'done', 'failed', 'expired'));