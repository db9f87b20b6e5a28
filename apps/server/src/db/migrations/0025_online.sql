CREATE TABLE "online_events" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"provider_id" uuid NOT NULL,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"checkout_id" text DEFAULT '' NOT NULL,
	"intent_id" text DEFAULT '' NOT NULL,
	"reference" text DEFAULT '' NOT NULL,
	"fact" text,
	"object" text DEFAULT '' NOT NULL,
	"amount" bigint DEFAULT 0 NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone,
	"settled_by" text,
	"note" text,
	CONSTRAINT "online_events_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "online_events_event" UNIQUE("company_id","provider_id","event_id")
);
--> statement-breakpoint
CREATE TABLE "online_payments" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"provider_id" uuid NOT NULL,
	"invoice_id" uuid NOT NULL,
	"method" text NOT NULL,
	"amount" bigint NOT NULL,
	"net" bigint DEFAULT 0 NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"checkout_id" text NOT NULL,
	"intent_id" text,
	"url" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "online_payments_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "online_payments_checkout" UNIQUE("company_id","provider_id","checkout_id"),
	CONSTRAINT "online_payments_method" CHECK ("online_payments"."method" in ('card', 'debit')),
	CONSTRAINT "online_payments_amount" CHECK ("online_payments"."amount" > 0 and "online_payments"."net" >= 0)
);
--> statement-breakpoint
CREATE TABLE "online_providers" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"owner_id" uuid NOT NULL,
	"environment" text NOT NULL,
	"key" text NOT NULL,
	"hint" text NOT NULL,
	"secret" text,
	"hook_id" text DEFAULT '' NOT NULL,
	"hook_url" text DEFAULT '' NOT NULL,
	"account" text DEFAULT '' NOT NULL,
	"account_id" uuid NOT NULL,
	"everyone" boolean DEFAULT false NOT NULL,
	"card" boolean DEFAULT true NOT NULL,
	"debit" boolean DEFAULT false NOT NULL,
	"tested_at" timestamp with time zone,
	"last_heard_at" timestamp with time zone,
	"asked_at" timestamp with time zone,
	"refused" integer DEFAULT 0 NOT NULL,
	"refused_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "online_providers_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "online_providers_environment" CHECK ("online_providers"."environment" in ('local', 'test', 'live'))
);
--> statement-breakpoint
CREATE TABLE "supplier_bills" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"participant_id" uuid NOT NULL,
	"point_id" uuid NOT NULL,
	"supplier" text NOT NULL,
	"number" text DEFAULT '' NOT NULL,
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"deducted_kwh" integer NOT NULL,
	"billed_kwh" integer,
	"verdict" text NOT NULL,
	"expected_wh" bigint,
	"consumed_wh" bigint,
	"detail" jsonb NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "supplier_bills_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "supplier_bills_days" CHECK ("supplier_bills"."from_day" < "supplier_bills"."to_day"),
	CONSTRAINT "supplier_bills_verdict" CHECK ("supplier_bills"."verdict" in ('right', 'short', 'over', 'unknown'))
);
--> statement-breakpoint
ALTER TABLE "online_events" ADD CONSTRAINT "online_events_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "online_events" ADD CONSTRAINT "online_events_company_id_provider_id_online_providers_company_id_id_fk" FOREIGN KEY ("company_id","provider_id") REFERENCES "public"."online_providers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "online_payments" ADD CONSTRAINT "online_payments_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "online_payments" ADD CONSTRAINT "online_payments_company_id_provider_id_online_providers_company_id_id_fk" FOREIGN KEY ("company_id","provider_id") REFERENCES "public"."online_providers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "online_payments" ADD CONSTRAINT "online_payments_company_id_invoice_id_invoices_company_id_id_fk" FOREIGN KEY ("company_id","invoice_id") REFERENCES "public"."invoices"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "online_providers" ADD CONSTRAINT "online_providers_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "online_providers" ADD CONSTRAINT "online_providers_company_id_owner_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","owner_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "online_providers" ADD CONSTRAINT "online_providers_company_id_account_id_bank_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."bank_accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "supplier_bills" ADD CONSTRAINT "supplier_bills_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "supplier_bills" ADD CONSTRAINT "supplier_bills_company_id_participant_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","participant_id") REFERENCES "public"."participants"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "supplier_bills" ADD CONSTRAINT "supplier_bills_company_id_point_id_points_company_id_id_fk" FOREIGN KEY ("company_id","point_id") REFERENCES "public"."points"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "online_events_intent" ON "online_events" USING btree ("company_id","provider_id","intent_id");--> statement-breakpoint
CREATE INDEX "online_events_reference" ON "online_events" USING btree ("company_id","provider_id","reference");--> statement-breakpoint
CREATE INDEX "online_events_checkout" ON "online_events" USING btree ("company_id","provider_id","checkout_id");--> statement-breakpoint
CREATE UNIQUE INDEX "online_payments_intent" ON "online_payments" USING btree ("company_id","provider_id","intent_id") WHERE "online_payments"."intent_id" is not null;--> statement-breakpoint
CREATE INDEX "online_payments_invoice" ON "online_payments" USING btree ("company_id","invoice_id");--> statement-breakpoint
CREATE UNIQUE INDEX "online_providers_owner" ON "online_providers" USING btree ("company_id","owner_id") WHERE "online_providers"."closed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "online_providers_everyone" ON "online_providers" USING btree ("company_id") WHERE "online_providers"."closed_at" is null and "online_providers"."everyone";--> statement-breakpoint
CREATE INDEX "supplier_bills_participant" ON "supplier_bills" USING btree ("company_id","participant_id","from_day");