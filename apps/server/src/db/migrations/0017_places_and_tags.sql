-- How well a point's place is known; what was typed so far is an address.
ALTER TABLE "points" ADD COLUMN "precision" text DEFAULT 'address' NOT NULL;
--> statement-breakpoint
ALTER TABLE "points" ADD CONSTRAINT "points_precision" CHECK ("points"."precision" in ('address', 'commune', 'pin'));
--> statement-breakpoint
-- Words of a company's own on its participants.
ALTER TABLE "participants" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
CREATE INDEX "participants_tags" ON "participants" USING gin ("tags");
--> statement-breakpoint
-- Work on many participants at once: what is asked, for whom as it was seen, and what came of it.
CREATE TABLE "bulk_runs" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"status" text NOT NULL,
	"dry_run" boolean NOT NULL,
	"action" jsonb NOT NULL,
	"operation_id" uuid,
	"participant_ids" uuid[] NOT NULL,
	"seal" text NOT NULL,
	"shown" text,
	"report" jsonb,
	"message" text DEFAULT '' NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "bulk_runs_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "bulk_runs_status" CHECK ("bulk_runs"."status" in ('running', 'done', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "bulk_runs" ADD CONSTRAINT "bulk_runs_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;
