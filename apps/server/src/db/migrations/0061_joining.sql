CREATE TABLE "applications" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"participant_kind" text DEFAULT 'person' NOT NULL,
	"name" text NOT NULL,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"siren" text DEFAULT '' NOT NULL,
	"email" text NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"postal_code" text DEFAULT '' NOT NULL,
	"city" text DEFAULT '' NOT NULL,
	"prm" text NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"consents" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"participant_id" uuid,
	"participation_id" uuid,
	"user_id" uuid,
	"wanted_on" date,
	"new_address" text DEFAULT '' NOT NULL,
	"successor_name" text DEFAULT '' NOT NULL,
	"successor_email" text DEFAULT '' NOT NULL,
	"proof" jsonb,
	"file_id" uuid,
	"effective_on" date,
	"reason" text DEFAULT '' NOT NULL,
	"decided_at" timestamp with time zone,
	"decided_by" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "applications_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "join_pages" (
	"company_id" integer NOT NULL,
	"operation_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"is_open" boolean DEFAULT false NOT NULL,
	"presentation" text DEFAULT '' NOT NULL,
	"conditions" text DEFAULT '' NOT NULL,
	"agreement" text DEFAULT '' NOT NULL,
	"agreement_version" integer DEFAULT 1 NOT NULL,
	"notice_days" integer DEFAULT 30 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "join_pages_company_id_operation_id_pk" PRIMARY KEY("company_id","operation_id")
);
--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_company_id_file_id_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."files"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "join_pages" ADD CONSTRAINT "join_pages_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "join_pages" ADD CONSTRAINT "join_pages_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "applications_state" ON "applications" USING btree ("company_id","state");--> statement-breakpoint
CREATE UNIQUE INDEX "applications_open_entry" ON "applications" USING btree ("company_id","operation_id","email","prm") WHERE "applications"."kind" = 'join' and "applications"."state" in ('draft', 'verified', 'waiting');--> statement-breakpoint
CREATE UNIQUE INDEX "applications_open_departure" ON "applications" USING btree ("company_id","participation_id") WHERE "applications"."kind" <> 'join' and "applications"."state" = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "join_pages_slug" ON "join_pages" USING btree ("company_id","slug");