CREATE TABLE "invoice_anchors" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"series_id" uuid,
	"position" integer NOT NULL,
	"hash" text NOT NULL,
	"kind" text NOT NULL,
	"anchored_at" timestamp with time zone NOT NULL,
	"signature" text NOT NULL,
	CONSTRAINT "invoice_anchors_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "invoice_anchors_kind" CHECK ("invoice_anchors"."kind" in ('upgrade', 'rotation', 'done'))
);
--> statement-breakpoint
CREATE TABLE "subscription_buyers" (
	"company_id" integer NOT NULL,
	"subscriber_company_id" integer NOT NULL,
	"participant_id" uuid NOT NULL,
	CONSTRAINT "subscription_buyers_company_id_subscriber_company_id_pk" PRIMARY KEY("company_id","subscriber_company_id")
);
--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "signature" text;--> statement-breakpoint
ALTER TABLE "subscription_buyers" ADD CONSTRAINT "subscription_buyers_subscriber_company_id_companies_id_fk" FOREIGN KEY ("subscriber_company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invoice_anchors_series" ON "invoice_anchors" USING btree ("company_id","series_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_buyers_participant" ON "subscription_buyers" USING btree ("company_id","participant_id");--> statement-breakpoint
-- What was stored before stays as it is and is passed over where it is read.
ALTER TABLE "subscription_add_ons" ADD CONSTRAINT "subscription_add_ons_kind" CHECK ("subscription_add_ons"."kind" in ('training', 'audit', 'priority')) NOT VALID;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_plan" CHECK ("subscriptions"."plan" in ('starter', 'professional', 'enterprise') and "subscriptions"."next_plan" in ('starter', 'professional', 'enterprise')) NOT VALID;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_next_period" CHECK ("subscriptions"."next_period" in ('month', 'year')) NOT VALID;--> statement-breakpoint
-- The customers that subscriptions named until now; where two name the same one, it is the company that was there first: dates of
-- its rows could be brought by an archive.
INSERT INTO "subscription_buyers" ("company_id", "subscriber_company_id", "participant_id")
SELECT DISTINCT ON ("seller_company_id", "buyer_id") "seller_company_id", "company_id", "buyer_id" FROM "subscriptions"
 WHERE "seller_company_id" IS NOT NULL AND "buyer_id" IS NOT NULL
 ORDER BY "seller_company_id", "buyer_id", "company_id";
