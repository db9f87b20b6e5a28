CREATE TABLE "health_samples" (
	"metric" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"value" double precision NOT NULL,
	CONSTRAINT "health_samples_metric_at_pk" PRIMARY KEY("metric","at")
);
--> statement-breakpoint
CREATE TABLE "health_alerts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"metric" text NOT NULL,
	"level" text NOT NULL,
	"value" double precision NOT NULL,
	"detail" text NOT NULL,
	"opened_at" timestamp with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp with time zone,
	CONSTRAINT "health_alerts_level" CHECK ("health_alerts"."level" in ('warning', 'critical'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "health_alerts_open" ON "health_alerts" USING btree ("metric") WHERE "health_alerts"."closed_at" is null;
