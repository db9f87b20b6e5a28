-- What belongs to a company is keyed by it first, so that tables can be spread over machines by it.
ALTER TABLE "curve_imports" DROP CONSTRAINT "curve_imports_file_id_files_id_fk";
--> statement-breakpoint
ALTER TABLE "distributor_files" DROP CONSTRAINT "distributor_files_file_id_files_id_fk";
--> statement-breakpoint
ALTER TABLE "documents" DROP CONSTRAINT "documents_file_id_files_id_fk";
--> statement-breakpoint
ALTER TABLE "files" DROP CONSTRAINT "files_pkey";
--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_pkey";
--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_company_id_id_pk" PRIMARY KEY("company_id","id");
--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_company_id_id_pk" PRIMARY KEY("company_id","id");
--> statement-breakpoint
ALTER TABLE "curve_imports" ADD CONSTRAINT "curve_imports_company_id_file_id_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."files"("company_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "distributor_files" ADD CONSTRAINT "distributor_files_company_id_file_id_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."files"("company_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_company_id_file_id_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."files"("company_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "allocation_coverage_run" ON "allocation_coverage" USING btree ("company_id","run_id");
--> statement-breakpoint
-- What only grows is kept so by what the application is granted (db/grants.ts): a distributed table takes no trigger.
DROP TRIGGER audit_entries_append_only ON audit_entries;
--> statement-breakpoint
DROP TRIGGER audit_entries_no_truncate ON audit_entries;
--> statement-breakpoint
DROP FUNCTION refuse_audit_change();
--> statement-breakpoint
DROP TRIGGER curve_days_append_only ON curve_days;
--> statement-breakpoint
DROP FUNCTION refuse_reading_change();
