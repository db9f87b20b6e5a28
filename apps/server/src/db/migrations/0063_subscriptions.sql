CREATE TABLE "mail_months" (
	"company_id" integer NOT NULL,
	"month" date NOT NULL,
	"sent" integer NOT NULL,
	CONSTRAINT "mail_months_company_id_month_pk" PRIMARY KEY("company_id","month")
);
--> statement-breakpoint
CREATE TABLE "subscription_add_ons" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"price" bigint NOT NULL,
	"state" text NOT NULL,
	"ordered_on" date NOT NULL,
	"paid_to" date,
	"by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscription_add_ons_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "subscription_add_ons_state" CHECK ("subscription_add_ons"."state" in ('ordered', 'running', 'ending', 'done'))
);
--> statement-breakpoint
CREATE TABLE "subscription_changes" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"on_day" date NOT NULL,
	"kind" text NOT NULL,
	"plan" text NOT NULL,
	"period" text NOT NULL,
	"by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscription_changes_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "subscription_invoices" (
	"company_id" integer NOT NULL,
	"seller_company_id" integer NOT NULL,
	"invoice_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscription_invoices_company_id_invoice_id_pk" PRIMARY KEY("company_id","invoice_id")
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"company_id" integer PRIMARY KEY NOT NULL,
	"held" boolean DEFAULT true NOT NULL,
	"state" text DEFAULT 'trial' NOT NULL,
	"plan" text,
	"period" text DEFAULT 'month' NOT NULL,
	"price" bigint,
	"started_on" date,
	"anchor_on" date,
	"paid_from" date,
	"paid_to" date,
	"next_plan" text,
	"next_period" text,
	"seller_company_id" integer,
	"buyer_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "subscriptions_state" CHECK ("subscriptions"."state" in ('trial', 'active', 'ending', 'ended')),
	CONSTRAINT "subscriptions_period" CHECK ("subscriptions"."period" in ('month', 'year')),
	CONSTRAINT "subscriptions_paid" CHECK ("subscriptions"."state" in ('trial', 'ended') or "subscriptions"."paid_to" is not null)
);
--> statement-breakpoint
ALTER TABLE "invoices" ALTER COLUMN "operation_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "mail_months" ADD CONSTRAINT "mail_months_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_add_ons" ADD CONSTRAINT "subscription_add_ons_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_changes" ADD CONSTRAINT "subscription_changes_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_invoices" ADD CONSTRAINT "subscription_invoices_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_add_ons_running" ON "subscription_add_ons" USING btree ("company_id","kind") WHERE "subscription_add_ons"."state" in ('running', 'ending');