CREATE TABLE "data_exports" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"key_id" uuid,
	"asked_by" text NOT NULL,
	"data_set" text NOT NULL,
	"operation_id" uuid,
	"participant_id" uuid,
	"format" text NOT NULL,
	"dialect" text NOT NULL,
	"from_day" date,
	"to_day" date,
	"name" text NOT NULL,
	"within" uuid[],
	"state" text DEFAULT 'waiting' NOT NULL,
	"expected" bigint DEFAULT 0 NOT NULL,
	"rows" bigint DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"cursor" text DEFAULT '' NOT NULL,
	"file_key" text DEFAULT '' NOT NULL,
	"failure" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "data_exports_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "data_exports_state" CHECK ("data_exports"."state" in ('waiting', 'running', 'done', 'failed', 'cancelled', 'expired')),
	CONSTRAINT "data_exports_format" CHECK ("data_exports"."format" in ('csv', 'xlsx', 'json', 'jsonl', 'parquet')),
	CONSTRAINT "data_exports_dialect" CHECK ("data_exports"."dialect" in ('french', 'rfc'))
);
--> statement-breakpoint
CREATE TABLE "export_plans" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"connection_id" uuid NOT NULL,
	"maker_id" uuid NOT NULL,
	"data_set" text NOT NULL,
	"operation_id" uuid,
	"participant_id" uuid,
	"format" text NOT NULL,
	"dialect" text NOT NULL,
	"period" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "export_plans_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "export_plans_period" CHECK ("export_plans"."period" in ('yesterday', 'last-week', 'last-month', 'month-to-date'))
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "space" text DEFAULT 'office' NOT NULL;--> statement-breakpoint
ALTER TABLE "data_exports" ADD CONSTRAINT "data_exports_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_exports" ADD CONSTRAINT "data_exports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_plans" ADD CONSTRAINT "export_plans_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_plans" ADD CONSTRAINT "export_plans_maker_id_users_id_fk" FOREIGN KEY ("maker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_plans" ADD CONSTRAINT "export_plans_company_id_connection_id_connections_company_id_id_fk" FOREIGN KEY ("company_id","connection_id") REFERENCES "public"."connections"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "data_exports_recent" ON "data_exports" USING btree ("company_id","user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "data_exports_expiry" ON "data_exports" USING btree ("expires_at") WHERE "data_exports"."state" = 'done';--> statement-breakpoint
CREATE INDEX "export_plans_connection" ON "export_plans" USING btree ("company_id","connection_id");