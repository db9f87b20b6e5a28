CREATE TABLE "allocation_coverage" (
	"company_id" integer NOT NULL,
	"operation_id" uuid NOT NULL,
	"day" date NOT NULL,
	"run_id" uuid NOT NULL,
	CONSTRAINT "allocation_coverage_company_id_operation_id_day_pk" PRIMARY KEY("company_id","operation_id","day")
);
--> statement-breakpoint
CREATE TABLE "allocation_days" (
	"company_id" integer NOT NULL,
	"run_id" uuid NOT NULL,
	"point_id" uuid NOT NULL,
	"day" date NOT NULL,
	"allocated" "bytea" NOT NULL,
	"total" bigint NOT NULL,
	"local" bigint NOT NULL,
	"excluded" smallint NOT NULL,
	CONSTRAINT "allocation_days_company_id_run_id_point_id_day_pk" PRIMARY KEY("company_id","run_id","point_id","day")
);
--> statement-breakpoint
CREATE TABLE "allocation_pairs" (
	"company_id" integer NOT NULL,
	"run_id" uuid NOT NULL,
	"producer_id" uuid NOT NULL,
	"point_id" uuid NOT NULL,
	"month" date NOT NULL,
	"time_class" text NOT NULL,
	"energy" bigint NOT NULL,
	CONSTRAINT "allocation_pairs_company_id_run_id_producer_id_point_id_month_time_class_pk" PRIMARY KEY("company_id","run_id","producer_id","point_id","month","time_class")
);
--> statement-breakpoint
CREATE TABLE "allocation_runs" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_id" uuid NOT NULL,
	"starts_on" date NOT NULL,
	"ends_on" date NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"estimated" boolean DEFAULT false NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"input_hash" text,
	"result_hash" text,
	"engine_version" text NOT NULL,
	"key_ids" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"totals" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"stale_at" timestamp with time zone,
	"stale_reason" text DEFAULT '' NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	CONSTRAINT "allocation_runs_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "allocation_totals" (
	"company_id" integer NOT NULL,
	"run_id" uuid NOT NULL,
	"point_id" uuid NOT NULL,
	"month" date NOT NULL,
	"time_class" text NOT NULL,
	"total" bigint NOT NULL,
	"local" bigint NOT NULL,
	CONSTRAINT "allocation_totals_company_id_run_id_point_id_month_time_class_pk" PRIMARY KEY("company_id","run_id","point_id","month","time_class")
);
--> statement-breakpoint
CREATE TABLE "curve_days" (
	"company_id" integer NOT NULL,
	"point_id" uuid NOT NULL,
	"day" date NOT NULL,
	"version" integer NOT NULL,
	"step" smallint NOT NULL,
	"watts" "bytea" NOT NULL,
	"marks" "bytea",
	"quality" smallint NOT NULL,
	"present" smallint NOT NULL,
	"expected" smallint NOT NULL,
	"energy" bigint NOT NULL,
	"peak" integer NOT NULL,
	"source" text NOT NULL,
	"import_id" uuid,
	"received_at" timestamp with time zone NOT NULL,
	"superseded_at" timestamp with time zone,
	CONSTRAINT "curve_days_company_id_point_id_day_version_pk" PRIMARY KEY("company_id","point_id","day","version")
);
--> statement-breakpoint
CREATE TABLE "curve_imports" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"file_id" uuid NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"choices" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"detected" jsonb,
	"series" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"problems" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "curve_imports_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "curve_months" (
	"company_id" integer NOT NULL,
	"point_id" uuid NOT NULL,
	"month" date NOT NULL,
	"days" smallint NOT NULL,
	"present" integer NOT NULL,
	"expected" integer NOT NULL,
	"energy" bigint NOT NULL,
	"peak" integer NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "curve_months_company_id_point_id_month_pk" PRIMARY KEY("company_id","point_id","month")
);
--> statement-breakpoint
CREATE TABLE "key_coefficients" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"key_id" uuid NOT NULL,
	"producer_id" uuid,
	"point_id" uuid NOT NULL,
	"day" date NOT NULL,
	"values" "bytea" NOT NULL,
	CONSTRAINT "key_coefficients_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "key_coefficients_day" UNIQUE NULLS NOT DISTINCT("company_id","key_id","producer_id","point_id","day")
);
--> statement-breakpoint
CREATE TABLE "key_shares" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"key_id" uuid NOT NULL,
	"point_id" uuid NOT NULL,
	"producer_id" uuid,
	"share" integer,
	"rank" integer,
	CONSTRAINT "key_shares_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "keys" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"method" text NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"status" text NOT NULL,
	"starts_on" date NOT NULL,
	"decimals" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "keys_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "operations" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"acc_number" text,
	"status" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"pmo_name" text DEFAULT '' NOT NULL,
	"pmo_siren" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"postal_code" text DEFAULT '' NOT NULL,
	"city" text DEFAULT '' NOT NULL,
	"latitude" double precision,
	"longitude" double precision,
	"perimeter" text DEFAULT 'extended' NOT NULL,
	"zone" text DEFAULT 'metropole' NOT NULL,
	"capacity_watts" bigint DEFAULT 0 NOT NULL,
	"step_minutes" integer DEFAULT 15 NOT NULL,
	"starts_on" date,
	"ends_on" date,
	"surplus_buyer" text DEFAULT '' NOT NULL,
	"unit_price" integer,
	"vat_mode" text DEFAULT 'standard' NOT NULL,
	"time_calendar" jsonb DEFAULT '{"offPeak":[[1320,360]],"peak":false}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "operations_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"participant_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"text_version" text NOT NULL,
	"method" text NOT NULL,
	"given_at" timestamp with time zone NOT NULL,
	"expires_on" date NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"recorded_by" text NOT NULL,
	"ip" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "consents_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "participants" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"siren" text DEFAULT '' NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"postal_code" text DEFAULT '' NOT NULL,
	"city" text DEFAULT '' NOT NULL,
	"user_id" uuid,
	"iban" text,
	"iban_end" text DEFAULT '' NOT NULL,
	"mandate_reference" text DEFAULT '' NOT NULL,
	"mandate_signed_on" date,
	"notes" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "participants_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "participations" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_id" uuid NOT NULL,
	"participant_id" uuid NOT NULL,
	"point_id" uuid NOT NULL,
	"starts_on" date NOT NULL,
	"ends_on" date,
	"notice_on" date,
	"agreement_signed_on" date,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "participations_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "participations_order" CHECK ("participations"."ends_on" is null or "participations"."ends_on" > "participations"."starts_on")
);
--> statement-breakpoint
CREATE TABLE "points" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"prm" text NOT NULL,
	"direction" text NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"segment" text NOT NULL,
	"subscribed_va" integer,
	"peak_watts" integer,
	"azimuth" integer,
	"tilt" integer,
	"commissioned_on" date,
	"address" text DEFAULT '' NOT NULL,
	"latitude" double precision,
	"longitude" double precision,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "points_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "points_prm_digits" CHECK ("points"."prm" ~ '^[0-9]{14}$')
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"owner_kind" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"label" text NOT NULL,
	"added_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "documents_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "project_candidates" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"kind" text NOT NULL,
	"prm" text DEFAULT '' NOT NULL,
	"profile" text NOT NULL,
	"yearly_kwh" integer NOT NULL,
	"point_id" uuid,
	"latitude" double precision,
	"longitude" double precision,
	CONSTRAINT "project_candidates_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "project_notes" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"text" text NOT NULL,
	"author" text NOT NULL,
	"pinned" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_notes_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "project_roofs" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"building" text NOT NULL,
	"peak_watts" integer NOT NULL,
	"azimuth" integer NOT NULL,
	"tilt" integer NOT NULL,
	"latitude" double precision,
	"longitude" double precision,
	CONSTRAINT "project_roofs_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "project_steps" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"title" text NOT NULL,
	"due_on" date,
	"done_on" date,
	"position" integer NOT NULL,
	CONSTRAINT "project_steps_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"postal_code" text DEFAULT '' NOT NULL,
	"city" text DEFAULT '' NOT NULL,
	"latitude" double precision,
	"longitude" double precision,
	"perimeter" text DEFAULT 'extended' NOT NULL,
	"zone" text DEFAULT 'metropole' NOT NULL,
	"local_price" integer NOT NULL,
	"grid_price" integer NOT NULL,
	"surplus_price" integer NOT NULL,
	"investment_per_kwc" integer NOT NULL,
	"yearly_costs" bigint DEFAULT 0 NOT NULL,
	"method" text DEFAULT 'default' NOT NULL,
	"target_on" date,
	"study" jsonb,
	"studied_at" timestamp with time zone,
	"operation_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "projects_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "allocation_coverage" ADD CONSTRAINT "allocation_coverage_company_id_run_id_allocation_runs_company_id_id_fk" FOREIGN KEY ("company_id","run_id") REFERENCES "public"."allocation_runs"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allocation_days" ADD CONSTRAINT "allocation_days_company_id_run_id_allocation_runs_company_id_id_fk" FOREIGN KEY ("company_id","run_id") REFERENCES "public"."allocation_runs"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allocation_pairs" ADD CONSTRAINT "allocation_pairs_company_id_run_id_allocation_runs_company_id_id_fk" FOREIGN KEY ("company_id","run_id") REFERENCES "public"."allocation_runs"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allocation_runs" ADD CONSTRAINT "allocation_runs_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allocation_runs" ADD CONSTRAINT "allocation_runs_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allocation_totals" ADD CONSTRAINT "allocation_totals_company_id_run_id_allocation_runs_company_id_id_fk" FOREIGN KEY ("company_id","run_id") REFERENCES "public"."allocation_runs"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "curve_imports" ADD CONSTRAINT "curve_imports_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "curve_imports" ADD CONSTRAINT "curve_imports_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "curve_months" ADD CONSTRAINT "curve_months_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "curve_months" ADD CONSTRAINT "curve_months_company_id_point_id_points_company_id_id_fk" FOREIGN KEY ("company_id","point_id") REFERENCES "public"."points"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_coefficients" ADD CONSTRAINT "key_coefficients_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_coefficients" ADD CONSTRAINT "key_coefficients_company_id_key_id_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."keys"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_shares" ADD CONSTRAINT "key_shares_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_shares" ADD CONSTRAINT "key_shares_company_id_key_id_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."keys"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operations" ADD CONSTRAINT "operations_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_company_id_participant_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","participant_id") REFERENCES "public"."participants"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "participants" ADD CONSTRAINT "participants_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "participants" ADD CONSTRAINT "participants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "participations" ADD CONSTRAINT "participations_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "participations" ADD CONSTRAINT "participations_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "participations" ADD CONSTRAINT "participations_company_id_participant_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","participant_id") REFERENCES "public"."participants"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "participations" ADD CONSTRAINT "participations_company_id_point_id_points_company_id_id_fk" FOREIGN KEY ("company_id","point_id") REFERENCES "public"."points"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "points" ADD CONSTRAINT "points_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_candidates" ADD CONSTRAINT "project_candidates_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_candidates" ADD CONSTRAINT "project_candidates_company_id_project_id_projects_company_id_id_fk" FOREIGN KEY ("company_id","project_id") REFERENCES "public"."projects"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_notes" ADD CONSTRAINT "project_notes_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_notes" ADD CONSTRAINT "project_notes_company_id_project_id_projects_company_id_id_fk" FOREIGN KEY ("company_id","project_id") REFERENCES "public"."projects"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_roofs" ADD CONSTRAINT "project_roofs_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_roofs" ADD CONSTRAINT "project_roofs_company_id_project_id_projects_company_id_id_fk" FOREIGN KEY ("company_id","project_id") REFERENCES "public"."projects"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_steps" ADD CONSTRAINT "project_steps_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_steps" ADD CONSTRAINT "project_steps_company_id_project_id_projects_company_id_id_fk" FOREIGN KEY ("company_id","project_id") REFERENCES "public"."projects"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "allocation_runs_operation" ON "allocation_runs" USING btree ("company_id","operation_id","starts_on");--> statement-breakpoint
CREATE UNIQUE INDEX "curve_days_current" ON "curve_days" USING btree ("company_id","point_id","day") WHERE "curve_days"."superseded_at" is null;--> statement-breakpoint
CREATE INDEX "curve_imports_recent" ON "curve_imports" USING btree ("company_id","created_at");--> statement-breakpoint
CREATE INDEX "key_shares_key" ON "key_shares" USING btree ("company_id","key_id");--> statement-breakpoint
CREATE UNIQUE INDEX "keys_number" ON "keys" USING btree ("company_id","operation_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "operations_acc_number" ON "operations" USING btree ("company_id","acc_number") WHERE "operations"."acc_number" is not null;--> statement-breakpoint
CREATE INDEX "consents_participant" ON "consents" USING btree ("company_id","participant_id","purpose");--> statement-breakpoint
CREATE INDEX "participants_user" ON "participants" USING btree ("company_id","user_id");--> statement-breakpoint
CREATE INDEX "participations_operation" ON "participations" USING btree ("company_id","operation_id");--> statement-breakpoint
CREATE INDEX "participations_participant" ON "participations" USING btree ("company_id","participant_id");--> statement-breakpoint
CREATE INDEX "participations_point" ON "participations" USING btree ("company_id","point_id");--> statement-breakpoint
CREATE UNIQUE INDEX "points_prm" ON "points" USING btree ("company_id","prm","direction");--> statement-breakpoint
CREATE INDEX "documents_owner" ON "documents" USING btree ("company_id","owner_kind","owner_id");--> statement-breakpoint
-- What a meter said stays as it was received: a correction is another row, and only the end of validity is ever set.
CREATE FUNCTION refuse_reading_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'curve_days is append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER curve_days_append_only
  BEFORE UPDATE OF company_id, point_id, day, version, step, watts, marks, quality, present, expected, energy, peak, source, received_at
  ON curve_days FOR EACH ROW EXECUTE FUNCTION refuse_reading_change();
