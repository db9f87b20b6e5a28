CREATE TABLE "dated_settings" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"value" jsonb NOT NULL,
	"starts_on" date NOT NULL,
	"source" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dated_settings_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "billing_computations" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"month_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"cause" jsonb NOT NULL,
	"input" "bytea" NOT NULL,
	"outcome" "bytea" NOT NULL,
	"totals" jsonb NOT NULL,
	"hash" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "billing_computations_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "billing_months" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_id" uuid NOT NULL,
	"month" date NOT NULL,
	"status" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"closed_at" timestamp with time zone NOT NULL,
	"closed_by" text NOT NULL,
	"issued_at" timestamp with time zone,
	"issued_by" text DEFAULT '' NOT NULL,
	"looked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "billing_months_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "billing_months_status" CHECK ("billing_months"."status" in ('closed', 'issued'))
);
--> statement-breakpoint
CREATE TABLE "billing_reviews" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"month_id" uuid NOT NULL,
	"causes" jsonb NOT NULL,
	"summary" jsonb NOT NULL,
	"state" text NOT NULL,
	"raised_at" timestamp with time zone NOT NULL,
	"decided_at" timestamp with time zone,
	"decided_by" text DEFAULT '' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"computation_id" uuid,
	CONSTRAINT "billing_reviews_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "billing_reviews_state" CHECK ("billing_reviews"."state" in ('open', 'settled', 'left'))
);
--> statement-breakpoint
CREATE TABLE "invoice_deliveries" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"invoice_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"state" text NOT NULL,
	"detail" text DEFAULT '' NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invoice_deliveries_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "invoice_files" (
	"company_id" integer NOT NULL,
	"invoice_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"file_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invoice_files_company_id_invoice_id_kind_pk" PRIMARY KEY("company_id","invoice_id","kind")
);
--> statement-breakpoint
CREATE TABLE "invoice_series" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"year" integer NOT NULL,
	"prefix" text NOT NULL,
	"last" integer DEFAULT 0 NOT NULL,
	"last_on" date,
	"last_hash" text DEFAULT '' NOT NULL,
	CONSTRAINT "invoice_series_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_id" uuid NOT NULL,
	"computation_id" uuid,
	"seller_id" uuid NOT NULL,
	"buyer_id" uuid,
	"client_seller_id" uuid,
	"kind" text NOT NULL,
	"apart" boolean DEFAULT false NOT NULL,
	"series_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"number" text NOT NULL,
	"issued_on" date NOT NULL,
	"due_on" date NOT NULL,
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"wh" bigint NOT NULL,
	"net" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"gross" bigint NOT NULL,
	"corrects_id" uuid,
	"reason" text DEFAULT '' NOT NULL,
	"snapshot" jsonb NOT NULL,
	"hash" text NOT NULL,
	"previous_hash" text NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"issued_by" text NOT NULL,
	CONSTRAINT "invoices_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "invoices_kind" CHECK ("invoices"."kind" in ('invoice', 'complement', 'creditNote', 'statement'))
);
--> statement-breakpoint
CREATE TABLE "producer_statements" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"month" date NOT NULL,
	"snapshot" jsonb NOT NULL,
	"invoice_id" uuid,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "producer_statements_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "billing_mandates" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"starts_on" date NOT NULL,
	"ends_on" date,
	"signed_on" date NOT NULL,
	"file_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "billing_mandates_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "billing_mandates_order" CHECK ("billing_mandates"."ends_on" is null or "billing_mandates"."ends_on" > "billing_mandates"."starts_on")
);
--> statement-breakpoint
CREATE TABLE "buyer_groups" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "buyer_groups_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "buyers" (
	"company_id" integer NOT NULL,
	"participant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"legal_name" text DEFAULT '' NOT NULL,
	"joint_holders" text[] DEFAULT '{}' NOT NULL,
	"siret" text DEFAULT '' NOT NULL,
	"vat_number" text DEFAULT '' NOT NULL,
	"service_code" text DEFAULT '' NOT NULL,
	"engagement" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"postal_code" text DEFAULT '' NOT NULL,
	"city" text DEFAULT '' NOT NULL,
	"country" text DEFAULT 'FR' NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"delivery" text DEFAULT 'mail' NOT NULL,
	"group_id" uuid,
	"accise_class" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "buyers_company_id_participant_id_pk" PRIMARY KEY("company_id","participant_id"),
	CONSTRAINT "buyers_kind" CHECK ("buyers"."kind" in ('person', 'company', 'public')),
	CONSTRAINT "buyers_delivery" CHECK ("buyers"."delivery" in ('mail', 'portal', 'chorus'))
);
--> statement-breakpoint
CREATE TABLE "operation_billing" (
	"company_id" integer NOT NULL,
	"operation_id" uuid NOT NULL,
	"patrimonial" boolean DEFAULT false NOT NULL,
	"months_per_invoice" integer DEFAULT 1 NOT NULL,
	"organiser_id" uuid,
	"supplier_price" integer,
	"surplus_price" integer,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "operation_billing_company_id_operation_id_pk" PRIMARY KEY("company_id","operation_id"),
	CONSTRAINT "operation_billing_months" CHECK ("operation_billing"."months_per_invoice" in (1, 2, 3, 6, 12))
);
--> statement-breakpoint
CREATE TABLE "seller_vat" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"starts_on" date NOT NULL,
	"mode" text NOT NULL,
	"rate" integer NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "seller_vat_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "seller_vat_mode" CHECK ("seller_vat"."mode" in ('standard', 'exempt', 'outside', 'elsewhere'))
);
--> statement-breakpoint
CREATE TABLE "sellers" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"participant_id" uuid,
	"name" text NOT NULL,
	"legal_form" text DEFAULT '' NOT NULL,
	"siren" text DEFAULT '' NOT NULL,
	"siret" text DEFAULT '' NOT NULL,
	"vat_number" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"postal_code" text DEFAULT '' NOT NULL,
	"city" text DEFAULT '' NOT NULL,
	"country" text DEFAULT 'FR' NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"iban" text,
	"iban_end" text DEFAULT '' NOT NULL,
	"bic" text DEFAULT '' NOT NULL,
	"prefix" text NOT NULL,
	"management_fees" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"management_fee_rate" integer DEFAULT 2000 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "sellers_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "price_index_values" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"index_id" uuid NOT NULL,
	"starts_on" date NOT NULL,
	"value" text,
	"source" text DEFAULT '' NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "price_index_values_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "price_indexes" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"source" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "price_indexes_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "tariff_discounts" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"label" text NOT NULL,
	"percent_bp" integer,
	"amount" integer,
	"participant_id" uuid,
	"seller_id" uuid,
	"starts_on" date NOT NULL,
	"ends_on" date,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "tariff_discounts_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "tariff_discounts_one" CHECK (("tariff_discounts"."percent_bp" is null) <> ("tariff_discounts"."amount" is null))
);
--> statement-breakpoint
CREATE TABLE "tariff_fees" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_id" uuid NOT NULL,
	"seller_id" uuid NOT NULL,
	"label" text NOT NULL,
	"amount" integer NOT NULL,
	"every" text NOT NULL,
	"starts_on" date NOT NULL,
	"ends_on" date,
	"rate" integer,
	"per_kva" boolean DEFAULT false NOT NULL,
	"outside" boolean DEFAULT false NOT NULL,
	"group_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "tariff_fees_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "tariff_fees_every" CHECK ("tariff_fees"."every" in ('month', 'quarter', 'year'))
);
--> statement-breakpoint
CREATE TABLE "tariffs" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"status" text NOT NULL,
	"starts_on" date NOT NULL,
	"rules" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"adopted_at" timestamp with time zone,
	"adopted_by" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "tariffs_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "tariffs_status" CHECK ("tariffs"."status" in ('draft', 'adopted'))
);
--> statement-breakpoint
ALTER TABLE "allocation_pairs" ADD COLUMN "days" "bytea";--> statement-breakpoint
ALTER TABLE "dated_settings" ADD CONSTRAINT "dated_settings_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_computations" ADD CONSTRAINT "billing_computations_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_computations" ADD CONSTRAINT "billing_computations_company_id_month_id_billing_months_company_id_id_fk" FOREIGN KEY ("company_id","month_id") REFERENCES "public"."billing_months"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_months" ADD CONSTRAINT "billing_months_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_months" ADD CONSTRAINT "billing_months_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_reviews" ADD CONSTRAINT "billing_reviews_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_reviews" ADD CONSTRAINT "billing_reviews_company_id_month_id_billing_months_company_id_id_fk" FOREIGN KEY ("company_id","month_id") REFERENCES "public"."billing_months"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_deliveries" ADD CONSTRAINT "invoice_deliveries_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_deliveries" ADD CONSTRAINT "invoice_deliveries_company_id_invoice_id_invoices_company_id_id_fk" FOREIGN KEY ("company_id","invoice_id") REFERENCES "public"."invoices"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_files" ADD CONSTRAINT "invoice_files_company_id_invoice_id_invoices_company_id_id_fk" FOREIGN KEY ("company_id","invoice_id") REFERENCES "public"."invoices"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_files" ADD CONSTRAINT "invoice_files_company_id_file_id_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."files"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_series" ADD CONSTRAINT "invoice_series_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_series" ADD CONSTRAINT "invoice_series_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_company_id_buyer_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","buyer_id") REFERENCES "public"."participants"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_company_id_computation_id_billing_computations_company_id_id_fk" FOREIGN KEY ("company_id","computation_id") REFERENCES "public"."billing_computations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_company_id_series_id_invoice_series_company_id_id_fk" FOREIGN KEY ("company_id","series_id") REFERENCES "public"."invoice_series"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "producer_statements" ADD CONSTRAINT "producer_statements_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "producer_statements" ADD CONSTRAINT "producer_statements_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_mandates" ADD CONSTRAINT "billing_mandates_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_mandates" ADD CONSTRAINT "billing_mandates_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_mandates" ADD CONSTRAINT "billing_mandates_company_id_file_id_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."files"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "buyer_groups" ADD CONSTRAINT "buyer_groups_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "buyers" ADD CONSTRAINT "buyers_company_id_participant_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","participant_id") REFERENCES "public"."participants"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "buyers" ADD CONSTRAINT "buyers_company_id_group_id_buyer_groups_company_id_id_fk" FOREIGN KEY ("company_id","group_id") REFERENCES "public"."buyer_groups"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operation_billing" ADD CONSTRAINT "operation_billing_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operation_billing" ADD CONSTRAINT "operation_billing_company_id_organiser_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","organiser_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_vat" ADD CONSTRAINT "seller_vat_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_vat" ADD CONSTRAINT "seller_vat_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sellers" ADD CONSTRAINT "sellers_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sellers" ADD CONSTRAINT "sellers_company_id_participant_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","participant_id") REFERENCES "public"."participants"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_index_values" ADD CONSTRAINT "price_index_values_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_index_values" ADD CONSTRAINT "price_index_values_company_id_index_id_price_indexes_company_id_id_fk" FOREIGN KEY ("company_id","index_id") REFERENCES "public"."price_indexes"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_indexes" ADD CONSTRAINT "price_indexes_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tariff_discounts" ADD CONSTRAINT "tariff_discounts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tariff_discounts" ADD CONSTRAINT "tariff_discounts_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tariff_discounts" ADD CONSTRAINT "tariff_discounts_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tariff_discounts" ADD CONSTRAINT "tariff_discounts_company_id_participant_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","participant_id") REFERENCES "public"."participants"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tariff_fees" ADD CONSTRAINT "tariff_fees_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tariff_fees" ADD CONSTRAINT "tariff_fees_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tariff_fees" ADD CONSTRAINT "tariff_fees_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tariff_fees" ADD CONSTRAINT "tariff_fees_company_id_group_id_buyer_groups_company_id_id_fk" FOREIGN KEY ("company_id","group_id") REFERENCES "public"."buyer_groups"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tariffs" ADD CONSTRAINT "tariffs_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tariffs" ADD CONSTRAINT "tariffs_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dated_settings_name" ON "dated_settings" USING btree ("company_id","name","starts_on");--> statement-breakpoint
CREATE UNIQUE INDEX "billing_computations_number" ON "billing_computations" USING btree ("company_id","month_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "billing_months_once" ON "billing_months" USING btree ("company_id","operation_id","month");--> statement-breakpoint
CREATE UNIQUE INDEX "billing_reviews_open" ON "billing_reviews" USING btree ("company_id","month_id") WHERE "billing_reviews"."state" = 'open';--> statement-breakpoint
CREATE INDEX "invoice_deliveries_invoice" ON "invoice_deliveries" USING btree ("company_id","invoice_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "invoice_series_year" ON "invoice_series" USING btree ("company_id","seller_id","kind","year");--> statement-breakpoint
CREATE UNIQUE INDEX "invoice_series_prefix" ON "invoice_series" USING btree ("company_id","prefix","year");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_number" ON "invoices" USING btree ("company_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_position" ON "invoices" USING btree ("company_id","series_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_once" ON "invoices" USING btree ("company_id","computation_id","seller_id","buyer_id","apart");--> statement-breakpoint
CREATE INDEX "invoices_buyer" ON "invoices" USING btree ("company_id","buyer_id","issued_on");--> statement-breakpoint
CREATE INDEX "invoices_operation" ON "invoices" USING btree ("company_id","operation_id","from_day");--> statement-breakpoint
CREATE INDEX "invoices_corrects" ON "invoices" USING btree ("company_id","corrects_id");--> statement-breakpoint
CREATE UNIQUE INDEX "producer_statements_month" ON "producer_statements" USING btree ("company_id","seller_id","month");--> statement-breakpoint
CREATE INDEX "billing_mandates_seller" ON "billing_mandates" USING btree ("company_id","seller_id","starts_on");--> statement-breakpoint
CREATE UNIQUE INDEX "buyer_groups_name" ON "buyer_groups" USING btree ("company_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "seller_vat_day" ON "seller_vat" USING btree ("company_id","seller_id","starts_on");--> statement-breakpoint
CREATE UNIQUE INDEX "sellers_participant" ON "sellers" USING btree ("company_id","participant_id") WHERE "sellers"."participant_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "sellers_prefix" ON "sellers" USING btree ("company_id","prefix");--> statement-breakpoint
CREATE INDEX "price_index_values_day" ON "price_index_values" USING btree ("company_id","index_id","starts_on");--> statement-breakpoint
CREATE UNIQUE INDEX "price_indexes_name" ON "price_indexes" USING btree ("company_id","name");--> statement-breakpoint
CREATE INDEX "tariff_discounts_operation" ON "tariff_discounts" USING btree ("company_id","operation_id");--> statement-breakpoint
CREATE INDEX "tariff_fees_operation" ON "tariff_fees" USING btree ("company_id","operation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tariffs_number" ON "tariffs" USING btree ("company_id","operation_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "tariffs_day" ON "tariffs" USING btree ("company_id","operation_id","starts_on") WHERE "tariffs"."status" = 'adopted';