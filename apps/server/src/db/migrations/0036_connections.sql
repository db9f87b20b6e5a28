CREATE TABLE "connections" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"settings" text NOT NULL,
	"state" text NOT NULL,
	"trouble" text DEFAULT '' NOT NULL,
	"schedule" text DEFAULT 'none' NOT NULL,
	"shipments" text[] DEFAULT '{}' NOT NULL,
	"host_key" text DEFAULT '' NOT NULL,
	"offered_key" text DEFAULT '' NOT NULL,
	"key_id" uuid,
	"maker_id" uuid NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"next_run_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "connections_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "connections_state" CHECK ("connections"."state" in ('active', 'paused', 'stopped')),
	CONSTRAINT "connections_schedule" CHECK ("connections"."schedule" in ('none', 'six-hours', 'night', 'week', 'month'))
);
--> statement-breakpoint
CREATE TABLE "connection_runs" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"connection_id" uuid NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"asked_by" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"files" integer DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"failure" text DEFAULT '' NOT NULL,
	CONSTRAINT "connection_runs_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "connection_runs_state" CHECK ("connection_runs"."state" in ('running', 'done', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "connection_steps" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"run_id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"text" text NOT NULL,
	"milliseconds" integer DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "connection_steps_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "connection_deliveries" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"connection_id" uuid NOT NULL,
	"name" text NOT NULL,
	"sha256" text NOT NULL,
	"bytes" bigint NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "connection_deliveries_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "weather_runs" (
	"company_id" integer NOT NULL,
	"latitude" integer NOT NULL,
	"longitude" integer NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"values" jsonb NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "weather_runs_company_id_latitude_longitude_issued_at_pk" PRIMARY KEY("company_id","latitude","longitude","issued_at")
);
--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_maker_id_users_id_fk" FOREIGN KEY ("maker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_runs" ADD CONSTRAINT "connection_runs_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_runs" ADD CONSTRAINT "connection_runs_company_id_connection_id_connections_company_id_id_fk" FOREIGN KEY ("company_id","connection_id") REFERENCES "public"."connections"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_steps" ADD CONSTRAINT "connection_steps_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_steps" ADD CONSTRAINT "connection_steps_company_id_run_id_connection_runs_company_id_id_fk" FOREIGN KEY ("company_id","run_id") REFERENCES "public"."connection_runs"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_deliveries" ADD CONSTRAINT "connection_deliveries_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_deliveries" ADD CONSTRAINT "connection_deliveries_company_id_connection_id_connections_company_id_id_fk" FOREIGN KEY ("company_id","connection_id") REFERENCES "public"."connections"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "weather_runs" ADD CONSTRAINT "weather_runs_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "connections_next" ON "connections" USING btree ("next_run_at");--> statement-breakpoint
CREATE UNIQUE INDEX "connections_sender" ON "connections" USING btree ("company_id") WHERE "connections"."kind" = 'smtp' and "connections"."state" = 'active';--> statement-breakpoint
CREATE INDEX "connection_runs_newest" ON "connection_runs" USING btree ("company_id","connection_id","started_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "connection_steps_run" ON "connection_steps" USING btree ("company_id","run_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "connection_deliveries_once" ON "connection_deliveries" USING btree ("company_id","connection_id","name","sha256");
