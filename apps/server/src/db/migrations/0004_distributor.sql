CREATE TABLE "contract_events" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"prm" text NOT NULL,
	"event" text NOT NULL,
	"on_day" date NOT NULL,
	"collective" smallint,
	"file_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contract_events_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "distributor_days" (
	"company_id" integer NOT NULL,
	"operation_id" uuid NOT NULL,
	"point_id" uuid NOT NULL,
	"day" date NOT NULL,
	"type" text NOT NULL,
	"step" smallint NOT NULL,
	"watts" "bytea" NOT NULL,
	"energy" bigint NOT NULL,
	"missing" smallint NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "distributor_days_company_id_operation_id_point_id_day_type_pk" PRIMARY KEY("company_id","operation_id","point_id","day","type")
);
--> statement-breakpoint
CREATE TABLE "distributor_energies" (
	"company_id" integer NOT NULL,
	"point_id" uuid NOT NULL,
	"day" date NOT NULL,
	"wh" bigint NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "distributor_energies_company_id_point_id_day_pk" PRIMARY KEY("company_id","point_id","day")
);
--> statement-breakpoint
CREATE TABLE "distributor_files" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"file_id" uuid NOT NULL,
	"name" text NOT NULL,
	"sha256" text NOT NULL,
	"kind" text DEFAULT '' NOT NULL,
	"status" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"size" bigint NOT NULL,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"source" text NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "distributor_files_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "distributor_indexes" (
	"company_id" integer NOT NULL,
	"point_id" uuid NOT NULL,
	"day" date NOT NULL,
	"calendar" text NOT NULL,
	"name" text NOT NULL,
	"wh" bigint NOT NULL,
	"source" text NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "distributor_indexes_company_id_point_id_day_calendar_name_source_pk" PRIMARY KEY("company_id","point_id","day","calendar","name","source")
);
--> statement-breakpoint
CREATE TABLE "distributor_perimeters" (
	"company_id" integer NOT NULL,
	"operation_id" uuid NOT NULL,
	"prm" text NOT NULL,
	"direction" text NOT NULL,
	"starts_on" date,
	"ends_on" date,
	"read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "distributor_perimeters_company_id_operation_id_prm_direction_pk" PRIMARY KEY("company_id","operation_id","prm","direction")
);
--> statement-breakpoint
CREATE TABLE "distributor_quantities" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_id" uuid,
	"point_id" uuid NOT NULL,
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"type" text NOT NULL,
	"calendar" text NOT NULL,
	"name" text NOT NULL,
	"wh" bigint NOT NULL,
	"source" text NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"superseded_at" timestamp with time zone,
	CONSTRAINT "distributor_quantities_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "enedis_answers" (
	"company_id" integer NOT NULL,
	"sha256" text NOT NULL,
	"size" integer NOT NULL,
	"body" "bytea" NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "enedis_answers_company_id_sha256_pk" PRIMARY KEY("company_id","sha256")
);
--> statement-breakpoint
CREATE TABLE "enedis_credentials" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_id" uuid,
	"environment" text NOT NULL,
	"backend" text NOT NULL,
	"client_id" text NOT NULL,
	"client_secret" text NOT NULL,
	"hint" text NOT NULL,
	"tested_at" timestamp with time zone,
	"test_ok" boolean DEFAULT false NOT NULL,
	"test_message" text DEFAULT '' NOT NULL,
	"circuit" text DEFAULT 'closed' NOT NULL,
	"circuit_failures" integer DEFAULT 0 NOT NULL,
	"paused_until" timestamp with time zone,
	"second_at" timestamp with time zone,
	"second_calls" integer DEFAULT 0 NOT NULL,
	"hour_at" timestamp with time zone,
	"hour_calls" integer DEFAULT 0 NOT NULL,
	"last_sync_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "enedis_credentials_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "point_links" (
	"company_id" integer NOT NULL,
	"point_id" uuid NOT NULL,
	"blocked_at" timestamp with time zone,
	"fault" jsonb,
	"access_until" date,
	"samples" integer DEFAULT 0 NOT NULL,
	"arrival_mean" integer,
	"arrival_spread" integer,
	CONSTRAINT "point_links_company_id_point_id_pk" PRIMARY KEY("company_id","point_id")
);
--> statement-breakpoint
CREATE TABLE "sync_attempts" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"window_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"request" text NOT NULL,
	"status" integer,
	"code" text DEFAULT '' NOT NULL,
	"request_id" text DEFAULT '' NOT NULL,
	"milliseconds" integer NOT NULL,
	"sha256" text,
	CONSTRAINT "sync_attempts_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "sync_errors" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"code" text NOT NULL,
	"nature" text NOT NULL,
	"fault" jsonb NOT NULL,
	"operation_id" uuid,
	"point_id" uuid,
	"subject" text NOT NULL,
	"task_id" uuid,
	"request_id" text DEFAULT '' NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"handled_at" timestamp with time zone,
	"handled_by" text DEFAULT '' NOT NULL,
	CONSTRAINT "sync_errors_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "sync_settings" (
	"company_id" integer PRIMARY KEY NOT NULL,
	"hour" integer DEFAULT 8 NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"rolling_days" integer DEFAULT 30 NOT NULL,
	"folder" text DEFAULT '' NOT NULL,
	"file_key" text,
	"tolerance_wh" integer DEFAULT 1000 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sync_tasks" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"credential_id" uuid NOT NULL,
	"operation_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"trigger" text NOT NULL,
	"status" text NOT NULL,
	"points" integer NOT NULL,
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	CONSTRAINT "sync_tasks_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "sync_windows" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"task_id" uuid NOT NULL,
	"credential_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"point_id" uuid,
	"subject" text NOT NULL,
	"direction" text DEFAULT '' NOT NULL,
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone DEFAULT now() NOT NULL,
	"fault" jsonb,
	"finished_at" timestamp with time zone,
	CONSTRAINT "sync_windows_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "contract_events" ADD CONSTRAINT "contract_events_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "distributor_days" ADD CONSTRAINT "distributor_days_company_id_point_id_points_company_id_id_fk" FOREIGN KEY ("company_id","point_id") REFERENCES "public"."points"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "distributor_energies" ADD CONSTRAINT "distributor_energies_company_id_point_id_points_company_id_id_fk" FOREIGN KEY ("company_id","point_id") REFERENCES "public"."points"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "distributor_files" ADD CONSTRAINT "distributor_files_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "distributor_files" ADD CONSTRAINT "distributor_files_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "distributor_indexes" ADD CONSTRAINT "distributor_indexes_company_id_point_id_points_company_id_id_fk" FOREIGN KEY ("company_id","point_id") REFERENCES "public"."points"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "distributor_perimeters" ADD CONSTRAINT "distributor_perimeters_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "distributor_quantities" ADD CONSTRAINT "distributor_quantities_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "distributor_quantities" ADD CONSTRAINT "distributor_quantities_company_id_point_id_points_company_id_id_fk" FOREIGN KEY ("company_id","point_id") REFERENCES "public"."points"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enedis_answers" ADD CONSTRAINT "enedis_answers_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enedis_credentials" ADD CONSTRAINT "enedis_credentials_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enedis_credentials" ADD CONSTRAINT "enedis_credentials_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "point_links" ADD CONSTRAINT "point_links_company_id_point_id_points_company_id_id_fk" FOREIGN KEY ("company_id","point_id") REFERENCES "public"."points"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_attempts" ADD CONSTRAINT "sync_attempts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_attempts" ADD CONSTRAINT "sync_attempts_company_id_window_id_sync_windows_company_id_id_fk" FOREIGN KEY ("company_id","window_id") REFERENCES "public"."sync_windows"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_errors" ADD CONSTRAINT "sync_errors_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_settings" ADD CONSTRAINT "sync_settings_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_tasks" ADD CONSTRAINT "sync_tasks_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_tasks" ADD CONSTRAINT "sync_tasks_company_id_credential_id_enedis_credentials_company_id_id_fk" FOREIGN KEY ("company_id","credential_id") REFERENCES "public"."enedis_credentials"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_windows" ADD CONSTRAINT "sync_windows_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_windows" ADD CONSTRAINT "sync_windows_company_id_task_id_sync_tasks_company_id_id_fk" FOREIGN KEY ("company_id","task_id") REFERENCES "public"."sync_tasks"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "contract_events_once" ON "contract_events" USING btree ("company_id","prm","event","on_day");--> statement-breakpoint
CREATE UNIQUE INDEX "distributor_files_content" ON "distributor_files" USING btree ("company_id","sha256");--> statement-breakpoint
CREATE INDEX "distributor_files_recent" ON "distributor_files" USING btree ("company_id","received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "distributor_quantities_current" ON "distributor_quantities" USING btree ("company_id","point_id","from_day","to_day","type","calendar","name","source") WHERE "distributor_quantities"."superseded_at" is null;--> statement-breakpoint
CREATE INDEX "distributor_quantities_operation" ON "distributor_quantities" USING btree ("company_id","operation_id","from_day") WHERE "distributor_quantities"."superseded_at" is null;--> statement-breakpoint
CREATE INDEX "enedis_answers_received" ON "enedis_answers" USING btree ("received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "enedis_credentials_operation" ON "enedis_credentials" USING btree ("company_id","operation_id") WHERE "enedis_credentials"."operation_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "enedis_credentials_company" ON "enedis_credentials" USING btree ("company_id") WHERE "enedis_credentials"."operation_id" is null;--> statement-breakpoint
CREATE INDEX "sync_attempts_window" ON "sync_attempts" USING btree ("company_id","window_id");--> statement-breakpoint
CREATE INDEX "sync_errors_recent" ON "sync_errors" USING btree ("company_id","last_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sync_errors_open" ON "sync_errors" USING btree ("company_id","code","subject") WHERE "sync_errors"."handled_at" is null;--> statement-breakpoint
CREATE INDEX "sync_tasks_recent" ON "sync_tasks" USING btree ("company_id","created_at");--> statement-breakpoint
CREATE INDEX "sync_tasks_operation" ON "sync_tasks" USING btree ("company_id","operation_id","created_at");--> statement-breakpoint
CREATE INDEX "sync_windows_task" ON "sync_windows" USING btree ("company_id","task_id");--> statement-breakpoint
CREATE INDEX "sync_windows_point" ON "sync_windows" USING btree ("company_id","point_id","from_day");--> statement-breakpoint
CREATE INDEX "sync_windows_due" ON "sync_windows" USING btree ("company_id","credential_id","next_at") WHERE "sync_windows"."status" in ('waiting', 'running');--> statement-breakpoint
CREATE UNIQUE INDEX "sync_windows_in_flight" ON "sync_windows" USING btree ("company_id","kind","subject","direction","from_day","to_day") WHERE "sync_windows"."status" in ('waiting', 'running');