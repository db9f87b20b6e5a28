-- Who takes part is counted, and what holds or is drawn day by day is read, from the indexes alone.
CREATE INDEX "participations_holder" ON "participations" USING btree ("company_id","operation_id","participant_id","ends_on");--> statement-breakpoint
CREATE INDEX "allocation_coverage_held" ON "allocation_coverage" USING btree ("company_id","operation_id","day","run_id");--> statement-breakpoint
CREATE INDEX "operation_days_local" ON "operation_days" USING btree ("company_id","operation_id","side","day","local","steps","excluded");--> statement-breakpoint
-- The first of them begins with the same columns.
DROP INDEX "participations_operation";
