CREATE TABLE "copy_runs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"copy" text DEFAULT '' NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"asked_by" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"seconds" integer,
	"failure" text,
	"findings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "copy_runs_kind" CHECK ("copy_runs"."kind" in ('copy', 'verify', 'drill')),
	CONSTRAINT "copy_runs_state" CHECK ("copy_runs"."state" in ('running', 'done', 'failed'))
);
--> statement-breakpoint
CREATE INDEX "copy_runs_started" ON "copy_runs" USING btree ("started_at");
--> statement-breakpoint
CREATE TABLE "copy_schedule" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"hour" integer DEFAULT 2 NOT NULL,
	"drill_day" integer DEFAULT 7 NOT NULL,
	"days" integer DEFAULT 14 NOT NULL,
	"weeks" integer DEFAULT 8 NOT NULL,
	"months" integer DEFAULT 12 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "copy_schedule_one" CHECK ("copy_schedule"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "company_copies" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"name" text NOT NULL,
	"asked_by" text NOT NULL,
	"user_id" uuid,
	"file_id" uuid,
	"size" bigint,
	"rows" bigint,
	"files" integer,
	"failure" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	CONSTRAINT "company_copies_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "company_copies_kind" CHECK ("company_copies"."kind" in ('export', 'import')),
	CONSTRAINT "company_copies_state" CHECK ("company_copies"."state" in ('waiting', 'done', 'failed', 'expired'))
);
--> statement-breakpoint
ALTER TABLE "company_copies" ADD CONSTRAINT "company_copies_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "company_copies" ADD CONSTRAINT "company_copies_company_id_file_id_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."files"("company_id","id") ON DELETE no action ON UPDATE no action;
