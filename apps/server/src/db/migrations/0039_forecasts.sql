CREATE TABLE "forecast_models" (
	"company_id" integer NOT NULL,
	"subject_id" uuid NOT NULL,
	"operation_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"fitted_at" timestamp with time zone NOT NULL,
	"fitted_on" date NOT NULL,
	"model" jsonb NOT NULL,
	CONSTRAINT "forecast_models_company_id_subject_id_pk" PRIMARY KEY("company_id","subject_id")
);
--> statement-breakpoint
CREATE TABLE "forecast_scores" (
	"company_id" integer NOT NULL,
	"forecast_id" uuid NOT NULL,
	"day" date NOT NULL,
	"subject_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"issued_on" date NOT NULL,
	"lead" smallint NOT NULL,
	"peak_watts" integer,
	"expected" smallint NOT NULL,
	"steps" smallint NOT NULL,
	"measured" double precision NOT NULL,
	"absolute" double precision NOT NULL,
	"signed" double precision NOT NULL,
	"persistence" double precision NOT NULL,
	"band_steps" smallint NOT NULL,
	"covered" smallint NOT NULL,
	"pinball" double precision NOT NULL,
	"window_steps" smallint DEFAULT 0 NOT NULL,
	"window_hits" smallint DEFAULT 0 NOT NULL,
	"scored_at" timestamp with time zone NOT NULL,
	CONSTRAINT "forecast_scores_company_id_forecast_id_day_pk" PRIMARY KEY("company_id","forecast_id","day")
);
--> statement-breakpoint
CREATE TABLE "issued_forecasts" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_id" uuid NOT NULL,
	"subject_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"span" text NOT NULL,
	"issued_on" date NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"known_until" timestamp with time zone,
	"step" smallint NOT NULL,
	"steps" smallint NOT NULL,
	"levels" double precision[] NOT NULL,
	"values" "bytea" NOT NULL,
	"persistence" "bytea" NOT NULL,
	"source" "bytea" NOT NULL,
	"chance" "bytea",
	"peak_watts" integer,
	"recipe" text NOT NULL,
	"version" integer NOT NULL,
	"learnt_days" integer NOT NULL,
	"weather_issued_at" timestamp with time zone,
	"silent" uuid[] DEFAULT '{}' NOT NULL,
	"rebuilt" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "issued_forecasts_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "issued_forecasts_kind" CHECK ("issued_forecasts"."kind" in ('production', 'consumption', 'surplus')),
	CONSTRAINT "issued_forecasts_span" CHECK ("issued_forecasts"."span" in ('near', 'week'))
);
--> statement-breakpoint
ALTER TABLE "forecast_models" ADD CONSTRAINT "forecast_models_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "forecast_scores" ADD CONSTRAINT "forecast_scores_company_id_forecast_id_issued_forecasts_company_id_id_fk" FOREIGN KEY ("company_id","forecast_id") REFERENCES "public"."issued_forecasts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issued_forecasts" ADD CONSTRAINT "issued_forecasts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issued_forecasts" ADD CONSTRAINT "issued_forecasts_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "forecast_scores_subject" ON "forecast_scores" USING btree ("company_id","subject_id","kind","day");--> statement-breakpoint
CREATE UNIQUE INDEX "issued_forecasts_once" ON "issued_forecasts" USING btree ("company_id","subject_id","kind","span","issued_on");--> statement-breakpoint
CREATE INDEX "issued_forecasts_operation" ON "issued_forecasts" USING btree ("company_id","operation_id","issued_on");