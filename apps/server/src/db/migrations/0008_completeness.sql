-- How complete the data of a run were, member by member, and who decided to go on without the rest.
ALTER TABLE "allocation_runs" ADD COLUMN "estimate_by" text DEFAULT 'own' NOT NULL;
--> statement-breakpoint
ALTER TABLE "allocation_runs" ADD COLUMN "completeness" jsonb;
--> statement-breakpoint
ALTER TABLE "allocation_runs" ADD COLUMN "sign_off" jsonb;
