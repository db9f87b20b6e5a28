CREATE TABLE "operation_hours" (
	"company_id" integer NOT NULL,
	"operation_id" uuid NOT NULL,
	"month" date NOT NULL,
	"part" smallint NOT NULL,
	"step" smallint NOT NULL,
	"mask" integer NOT NULL,
	"packed" "bytea" NOT NULL,
	CONSTRAINT "operation_hours_company_id_operation_id_month_part_pk" PRIMARY KEY("company_id","operation_id","month","part")
);
--> statement-breakpoint
CREATE TABLE "operation_seats" (
	"company_id" integer NOT NULL,
	"operation_id" uuid NOT NULL,
	"monthly" boolean NOT NULL,
	"day" date NOT NULL,
	"seats" "bytea" NOT NULL,
	"packed" "bytea" NOT NULL,
	CONSTRAINT "operation_seats_company_id_operation_id_monthly_day_pk" PRIMARY KEY("company_id","operation_id","monthly","day")
);
--> statement-breakpoint
-- What was read and allocated before is summed by the job that starts with the server; until then it is read as before.
INSERT INTO "sum_marks" ("company_id", "operation_ids", "starts_on") SELECT "company_id", array_agg("id"), '2000-01-01' FROM "operations" GROUP BY "company_id";
--> statement-breakpoint
ALTER TABLE "issued_forecasts" ADD COLUMN "learnt" "bytea";--> statement-breakpoint
ALTER TABLE "forecast_scores" ADD COLUMN "open_steps" smallint;--> statement-breakpoint
ALTER TABLE "forecast_scores" ADD COLUMN "open_covered" smallint;
