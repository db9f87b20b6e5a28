-- With which API key something was asked that is done later: it is asked of the key again, as of a person.
ALTER TABLE "allocation_runs" ADD COLUMN "key_id" uuid;
--> statement-breakpoint
ALTER TABLE "sync_tasks" ADD COLUMN "key_id" uuid;
