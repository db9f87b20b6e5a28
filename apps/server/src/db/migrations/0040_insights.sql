CREATE TABLE "insight_looks" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_id" uuid NOT NULL,
	"looked_at" timestamp with time zone NOT NULL,
	"missing" text[] NOT NULL,
	CONSTRAINT "insight_looks_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "insights" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_id" uuid NOT NULL,
	"rule" text NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"starts_on" date NOT NULL,
	"ends_on" date NOT NULL,
	"wh" bigint,
	"cents" bigint,
	"confidence" double precision NOT NULL,
	"size" double precision NOT NULL,
	"numbers" jsonb NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"silent_until" date,
	"decided_by" text DEFAULT '' NOT NULL,
	"found_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "insights_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "insights_known_state" CHECK ("insights"."state" in ('open', 'accepted', 'dismissed', 'closed')),
	CONSTRAINT "insights_confidence" CHECK ("insights"."confidence" between 0 and 1)
);
--> statement-breakpoint
ALTER TABLE "insight_looks" ADD CONSTRAINT "insight_looks_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_looks" ADD CONSTRAINT "insight_looks_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insights" ADD CONSTRAINT "insights_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insights" ADD CONSTRAINT "insights_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "insight_looks_operation" ON "insight_looks" USING btree ("company_id","operation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "insights_standing" ON "insights" USING btree ("company_id","rule","operation_id","subject_id") WHERE "insights"."state" in ('open', 'accepted');--> statement-breakpoint
CREATE INDEX "insights_state" ON "insights" USING btree ("company_id","state","seen_at");