CREATE TABLE "plant_amounts" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"point_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"amount" bigint NOT NULL,
	"every" text NOT NULL,
	"starts_on" date NOT NULL,
	"ends_on" date,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "plant_amounts_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"search" text NOT NULL,
	"shared" boolean DEFAULT false NOT NULL,
	"created_by" uuid NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_views_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "operation_days" (
	"company_id" integer NOT NULL,
	"operation_id" uuid NOT NULL,
	"side" smallint NOT NULL,
	"energy" bigint NOT NULL,
	"present" integer NOT NULL,
	"expected" integer NOT NULL,
	"days" integer NOT NULL,
	"holes" boolean NOT NULL,
	"quality" smallint NOT NULL,
	"estimated" integer NOT NULL,
	"total" bigint NOT NULL,
	"local" bigint NOT NULL,
	"excluded" integer NOT NULL,
	"steps" integer NOT NULL,
	"seen" integer NOT NULL,
	"given" integer NOT NULL,
	"day" date NOT NULL,
	CONSTRAINT "operation_days_company_id_operation_id_day_side_pk" PRIMARY KEY("company_id","operation_id","day","side")
);
--> statement-breakpoint
CREATE TABLE "operation_months" (
	"company_id" integer NOT NULL,
	"operation_id" uuid NOT NULL,
	"side" smallint NOT NULL,
	"energy" bigint NOT NULL,
	"present" integer NOT NULL,
	"expected" integer NOT NULL,
	"days" integer NOT NULL,
	"holes" boolean NOT NULL,
	"quality" smallint NOT NULL,
	"estimated" integer NOT NULL,
	"total" bigint NOT NULL,
	"local" bigint NOT NULL,
	"excluded" integer NOT NULL,
	"steps" integer NOT NULL,
	"seen" integer NOT NULL,
	"given" integer NOT NULL,
	"month" date NOT NULL,
	CONSTRAINT "operation_months_company_id_operation_id_month_side_pk" PRIMARY KEY("company_id","operation_id","month","side")
);
--> statement-breakpoint
CREATE TABLE "operation_steps" (
	"company_id" integer NOT NULL,
	"operation_id" uuid NOT NULL,
	"day" date NOT NULL,
	"step" smallint NOT NULL,
	"packed" "bytea" NOT NULL,
	CONSTRAINT "operation_steps_company_id_operation_id_day_pk" PRIMARY KEY("company_id","operation_id","day")
);
--> statement-breakpoint
CREATE TABLE "sum_marks" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_ids" uuid[] DEFAULT '{}' NOT NULL,
	"point_ids" uuid[] DEFAULT '{}' NOT NULL,
	"starts_on" date NOT NULL,
	"ends_on" date,
	CONSTRAINT "sum_marks_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "plant_amounts" ADD CONSTRAINT "plant_amounts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plant_amounts" ADD CONSTRAINT "plant_amounts_company_id_point_id_points_company_id_id_fk" FOREIGN KEY ("company_id","point_id") REFERENCES "public"."points"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sum_marks" ADD CONSTRAINT "sum_marks_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "plant_amounts_point" ON "plant_amounts" USING btree ("company_id","point_id");--> statement-breakpoint
CREATE INDEX "saved_views_person" ON "saved_views" USING btree ("company_id","created_by");--> statement-breakpoint
-- What was read and allocated before is summed by the job that starts with the server; until then it is read as before.
INSERT INTO "sum_marks" ("company_id", "operation_ids", "starts_on") SELECT "company_id", array_agg("id"), '2000-01-01' FROM "operations" GROUP BY "company_id";
