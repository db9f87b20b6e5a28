CREATE TABLE "report_schedules" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"preset" text NOT NULL,
	"template_id" uuid,
	"operation_id" uuid,
	"participant_id" uuid,
	"seller_id" uuid,
	"month" integer,
	"day" integer NOT NULL,
	"recipient_ids" uuid[] NOT NULL,
	"maker_id" uuid NOT NULL,
	"created_by" text NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"next_on" date NOT NULL,
	"last_period" text DEFAULT '' NOT NULL,
	"trouble" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "report_schedules_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "report_schedules_subject" CHECK (num_nonnulls("report_schedules"."operation_id", "report_schedules"."participant_id", "report_schedules"."seller_id") = 1),
	CONSTRAINT "report_schedules_day" CHECK ("report_schedules"."day" between 1 and 28)
);
--> statement-breakpoint
CREATE TABLE "report_templates" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"preset" text NOT NULL,
	"name" text NOT NULL,
	"blocks" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "report_templates_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"preset" text NOT NULL,
	"template_id" uuid,
	"subject" text NOT NULL,
	"operation_id" uuid,
	"participant_id" uuid,
	"seller_id" uuid,
	"span" text NOT NULL,
	"period" text NOT NULL,
	"number" integer NOT NULL,
	"content" jsonb NOT NULL,
	"rights" text[] NOT NULL,
	"file_id" uuid NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reports_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "reports_subject" CHECK (num_nonnulls("reports"."operation_id", "reports"."participant_id", "reports"."seller_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_company_id_participant_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","participant_id") REFERENCES "public"."participants"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_company_id_template_id_report_templates_company_id_id_fk" FOREIGN KEY ("company_id","template_id") REFERENCES "public"."report_templates"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_templates" ADD CONSTRAINT "report_templates_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_company_id_participant_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","participant_id") REFERENCES "public"."participants"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_company_id_file_id_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."files"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_schedules_due" ON "report_schedules" USING btree ("next_on") WHERE "report_schedules"."active";--> statement-breakpoint
CREATE UNIQUE INDEX "report_templates_name" ON "report_templates" USING btree ("company_id","name");--> statement-breakpoint
CREATE INDEX "reports_recent" ON "reports" USING btree ("company_id","created_at");