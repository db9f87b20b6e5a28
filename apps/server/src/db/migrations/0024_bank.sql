CREATE TABLE "bank_columns" (
	"company_id" integer NOT NULL,
	"account_id" uuid NOT NULL,
	"columns" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "bank_columns_company_id_account_id_pk" PRIMARY KEY("company_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "bank_line_debits" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"line_id" uuid NOT NULL,
	"debit_id" uuid NOT NULL,
	"effect" text NOT NULL,
	CONSTRAINT "bank_line_debits_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "bank_line_debits_effect" CHECK ("bank_line_debits"."effect" in ('collected', 'returned'))
);
--> statement-breakpoint
CREATE TABLE "bank_lines" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"account_id" uuid NOT NULL,
	"statement_id" uuid NOT NULL,
	"identity" text NOT NULL,
	"booked_on" date NOT NULL,
	"amount" bigint NOT NULL,
	"reference" text DEFAULT '' NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"party" text DEFAULT '' NOT NULL,
	"party_print" text DEFAULT '' NOT NULL,
	"end_to_end_id" text DEFAULT '' NOT NULL,
	"rum" text DEFAULT '' NOT NULL,
	"batch_id" text DEFAULT '' NOT NULL,
	"return_code" text DEFAULT '' NOT NULL,
	"charge" bigint DEFAULT 0 NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"step" integer,
	"settled_by" text DEFAULT '' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"round" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "bank_lines_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "bank_lines_status" CHECK ("bank_lines"."status" in ('open', 'posted', 'ignored')),
	CONSTRAINT "bank_lines_amount" CHECK ("bank_lines"."amount" <> 0)
);
--> statement-breakpoint
CREATE TABLE "bank_statements" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"account_id" uuid NOT NULL,
	"format" text NOT NULL,
	"reference" text DEFAULT '' NOT NULL,
	"file_id" uuid NOT NULL,
	"from_day" date,
	"to_day" date,
	"opening" bigint,
	"closing" bigint,
	"lines" integer NOT NULL,
	"gap" text DEFAULT '' NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bank_statements_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "bank_statements_format" CHECK ("bank_statements"."format" in ('camt.053', 'camt.054', 'pain.002', 'csv'))
);
--> statement-breakpoint
CREATE TABLE "debit_invoices" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"debit_id" uuid NOT NULL,
	"invoice_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "debit_invoices_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "debit_invoices_amount" CHECK ("debit_invoices"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "debit_runs" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"account_id" uuid NOT NULL,
	"collection_on" date NOT NULL,
	"submit_by" date NOT NULL,
	"message_id" text NOT NULL,
	"status" text DEFAULT 'announced' NOT NULL,
	"file_id" uuid,
	"filed_at" timestamp with time zone,
	"sent_on" date,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "debit_runs_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "debit_runs_status" CHECK ("debit_runs"."status" in ('announced', 'filed', 'sent', 'cancelled')),
	CONSTRAINT "debit_runs_file" CHECK ("debit_runs"."status" not in ('filed', 'sent') or "debit_runs"."file_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "debits" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"run_id" uuid NOT NULL,
	"mandate_id" uuid NOT NULL,
	"end_to_end_id" text NOT NULL,
	"batch_id" text DEFAULT '' NOT NULL,
	"sequence" text DEFAULT 'RCUR' NOT NULL,
	"amount" bigint NOT NULL,
	"status" text DEFAULT 'planned' NOT NULL,
	"noticed_at" timestamp with time zone,
	"collected_on" date,
	"payment_id" uuid,
	"returned_on" date,
	"return_code" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "debits_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "debits_amount" CHECK ("debits"."amount" > 0),
	CONSTRAINT "debits_sequence" CHECK ("debits"."sequence" in ('FRST', 'RCUR', 'OOFF', 'FNAL')),
	CONSTRAINT "debits_status" CHECK ("debits"."status" in ('planned', 'sent', 'collected', 'returned', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "mandates" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"creditor_id" uuid NOT NULL,
	"participant_id" uuid NOT NULL,
	"rum" text NOT NULL,
	"kind" text DEFAULT 'recurrent' NOT NULL,
	"holder" text NOT NULL,
	"iban" text NOT NULL,
	"iban_end" text NOT NULL,
	"iban_print" text NOT NULL,
	"bic" text DEFAULT '' NOT NULL,
	"signed_on" date NOT NULL,
	"method" text NOT NULL,
	"proof" jsonb,
	"file_id" uuid,
	"first_debit_on" date,
	"last_debit_on" date,
	"former_iban" text,
	"status" text DEFAULT 'active' NOT NULL,
	"status_on" date NOT NULL,
	"status_reason" text DEFAULT '' NOT NULL,
	"lapse_told_on" date,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "mandates_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "mandates_kind" CHECK ("mandates"."kind" in ('recurrent', 'oneOff')),
	CONSTRAINT "mandates_method" CHECK ("mandates"."method" in ('screen', 'paper', 'import')),
	CONSTRAINT "mandates_status" CHECK ("mandates"."status" in ('active', 'stopped', 'revoked', 'lapsed', 'used')),
	CONSTRAINT "mandates_proof" CHECK (("mandates"."method" = 'screen') = ("mandates"."proof" is not null))
);
--> statement-breakpoint
ALTER TABLE "bank_columns" ADD CONSTRAINT "bank_columns_company_id_account_id_bank_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."bank_accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_line_debits" ADD CONSTRAINT "bank_line_debits_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_line_debits" ADD CONSTRAINT "bank_line_debits_company_id_line_id_bank_lines_company_id_id_fk" FOREIGN KEY ("company_id","line_id") REFERENCES "public"."bank_lines"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_line_debits" ADD CONSTRAINT "bank_line_debits_company_id_debit_id_debits_company_id_id_fk" FOREIGN KEY ("company_id","debit_id") REFERENCES "public"."debits"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_lines" ADD CONSTRAINT "bank_lines_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_lines" ADD CONSTRAINT "bank_lines_company_id_account_id_bank_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."bank_accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_lines" ADD CONSTRAINT "bank_lines_company_id_statement_id_bank_statements_company_id_id_fk" FOREIGN KEY ("company_id","statement_id") REFERENCES "public"."bank_statements"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_statements" ADD CONSTRAINT "bank_statements_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_statements" ADD CONSTRAINT "bank_statements_company_id_account_id_bank_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."bank_accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_statements" ADD CONSTRAINT "bank_statements_company_id_file_id_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."files"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "debit_invoices" ADD CONSTRAINT "debit_invoices_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "debit_invoices" ADD CONSTRAINT "debit_invoices_company_id_debit_id_debits_company_id_id_fk" FOREIGN KEY ("company_id","debit_id") REFERENCES "public"."debits"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "debit_invoices" ADD CONSTRAINT "debit_invoices_company_id_invoice_id_invoices_company_id_id_fk" FOREIGN KEY ("company_id","invoice_id") REFERENCES "public"."invoices"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "debit_runs" ADD CONSTRAINT "debit_runs_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "debit_runs" ADD CONSTRAINT "debit_runs_company_id_account_id_bank_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."bank_accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "debit_runs" ADD CONSTRAINT "debit_runs_company_id_file_id_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."files"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "debits" ADD CONSTRAINT "debits_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "debits" ADD CONSTRAINT "debits_company_id_run_id_debit_runs_company_id_id_fk" FOREIGN KEY ("company_id","run_id") REFERENCES "public"."debit_runs"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "debits" ADD CONSTRAINT "debits_company_id_mandate_id_mandates_company_id_id_fk" FOREIGN KEY ("company_id","mandate_id") REFERENCES "public"."mandates"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "debits" ADD CONSTRAINT "debits_company_id_payment_id_payments_company_id_id_fk" FOREIGN KEY ("company_id","payment_id") REFERENCES "public"."payments"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mandates" ADD CONSTRAINT "mandates_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mandates" ADD CONSTRAINT "mandates_company_id_creditor_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","creditor_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mandates" ADD CONSTRAINT "mandates_company_id_participant_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","participant_id") REFERENCES "public"."participants"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mandates" ADD CONSTRAINT "mandates_company_id_file_id_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."files"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "bank_line_debits_once" ON "bank_line_debits" USING btree ("company_id","line_id","debit_id");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_lines_identity" ON "bank_lines" USING btree ("company_id","account_id","identity");--> statement-breakpoint
CREATE INDEX "bank_lines_status" ON "bank_lines" USING btree ("company_id","status","booked_on");--> statement-breakpoint
CREATE INDEX "bank_statements_account" ON "bank_statements" USING btree ("company_id","account_id","to_day");--> statement-breakpoint
CREATE UNIQUE INDEX "debit_invoices_once" ON "debit_invoices" USING btree ("company_id","debit_id","invoice_id");--> statement-breakpoint
CREATE INDEX "debit_invoices_invoice" ON "debit_invoices" USING btree ("company_id","invoice_id");--> statement-breakpoint
CREATE UNIQUE INDEX "debit_runs_message" ON "debit_runs" USING btree ("company_id","message_id");--> statement-breakpoint
CREATE INDEX "debit_runs_account" ON "debit_runs" USING btree ("company_id","account_id","collection_on");--> statement-breakpoint
CREATE UNIQUE INDEX "debits_end_to_end" ON "debits" USING btree ("company_id","end_to_end_id");--> statement-breakpoint
CREATE UNIQUE INDEX "debits_once" ON "debits" USING btree ("company_id","run_id","mandate_id");--> statement-breakpoint
CREATE INDEX "debits_mandate" ON "debits" USING btree ("company_id","mandate_id");--> statement-breakpoint
CREATE UNIQUE INDEX "mandates_rum" ON "mandates" USING btree ("company_id","rum");--> statement-breakpoint
CREATE UNIQUE INDEX "mandates_active" ON "mandates" USING btree ("company_id","creditor_id","participant_id") WHERE "mandates"."status" = 'active';--> statement-breakpoint
CREATE INDEX "mandates_participant" ON "mandates" USING btree ("company_id","participant_id");