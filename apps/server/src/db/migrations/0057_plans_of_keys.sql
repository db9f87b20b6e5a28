ALTER TABLE "connections" ADD COLUMN "maker_key_id" uuid;--> statement-breakpoint
ALTER TABLE "export_plans" ADD COLUMN "key_id" uuid;--> statement-breakpoint
ALTER TABLE "report_schedules" ADD COLUMN "key_id" uuid;
