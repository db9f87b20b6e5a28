ALTER TABLE "event_cursors" ADD COLUMN "failing_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "event_cursors" ADD COLUMN "error" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE TABLE "event_sums" (
	"company_id" integer NOT NULL,
	"subscriber" text NOT NULL,
	"event" text NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"taken" integer NOT NULL,
	"delays" bigint[] NOT NULL,
	CONSTRAINT "event_sums_company_id_subscriber_event_hour_pk" PRIMARY KEY("company_id","subscriber","event","hour")
);
--> statement-breakpoint
CREATE TABLE "flow_rules" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"event" text NOT NULL,
	"conditions" jsonb NOT NULL,
	"destination" text NOT NULL,
	"destination_id" uuid NOT NULL,
	"fields" jsonb NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "flow_rules_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "flow_deliveries" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"rule_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"event" text NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"payload" jsonb NOT NULL,
	"status" text NOT NULL,
	"error" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "flow_deliveries_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "flow_rules" ADD CONSTRAINT "flow_rules_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_deliveries" ADD CONSTRAINT "flow_deliveries_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_deliveries" ADD CONSTRAINT "flow_deliveries_company_id_rule_id_flow_rules_company_id_id_fk" FOREIGN KEY ("company_id","rule_id") REFERENCES "public"."flow_rules"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "flow_rules_event" ON "flow_rules" USING btree ("company_id","event");--> statement-breakpoint
CREATE UNIQUE INDEX "flow_deliveries_once" ON "flow_deliveries" USING btree ("company_id","rule_id","seq");--> statement-breakpoint
CREATE INDEX "flow_deliveries_newest" ON "flow_deliveries" USING btree ("company_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "events_when" ON "events" USING btree ("company_id","at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_when" ON "webhook_deliveries" USING btree ("company_id","created_at");
