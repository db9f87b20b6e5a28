CREATE TABLE "bank_accounts" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text DEFAULT 'bank' NOT NULL,
	"iban" text,
	"iban_end" text DEFAULT '' NOT NULL,
	"iban_print" text DEFAULT '' NOT NULL,
	"bic" text DEFAULT '' NOT NULL,
	"ics" text DEFAULT '' NOT NULL,
	"pain_version" text DEFAULT '08' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "bank_accounts_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "bank_accounts_kind" CHECK ("bank_accounts"."kind" in ('bank', 'online')),
	CONSTRAINT "bank_accounts_pain" CHECK ("bank_accounts"."pain_version" in ('08', '02'))
);
--> statement-breakpoint
CREATE TABLE "matches" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"debit_invoice_id" uuid,
	"debit_payment_id" uuid,
	"credit_invoice_id" uuid,
	"credit_payment_id" uuid,
	"amount" bigint NOT NULL,
	"matched_on" date NOT NULL,
	"undoes_id" uuid,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "matches_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "matches_debit" CHECK (num_nonnulls("matches"."debit_invoice_id", "matches"."debit_payment_id") = 1),
	CONSTRAINT "matches_credit" CHECK (num_nonnulls("matches"."credit_invoice_id", "matches"."credit_payment_id") = 1),
	CONSTRAINT "matches_amount" CHECK ("matches"."amount" <> 0 and ("matches"."amount" < 0) = ("matches"."undoes_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"buyer_id" uuid,
	"client_seller_id" uuid,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"method" text NOT NULL,
	"booked_on" date NOT NULL,
	"account_id" uuid,
	"reverses_id" uuid,
	"source" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payments_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "payments_source" UNIQUE NULLS NOT DISTINCT("company_id","source","seller_id","buyer_id","client_seller_id"),
	CONSTRAINT "payments_amount" CHECK ("payments"."amount" > 0),
	CONSTRAINT "payments_kind" CHECK ("payments"."kind" in ('receipt', 'writeOff', 'openingCredit', 'refund', 'return', 'undo', 'charge', 'openingDebit')),
	CONSTRAINT "payments_whose" CHECK (num_nonnulls("payments"."buyer_id", "payments"."client_seller_id") = 1),
	CONSTRAINT "payments_back" CHECK (("payments"."kind" in ('return', 'undo')) = ("payments"."reverses_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_company_id_owner_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","owner_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "matches" ADD CONSTRAINT "matches_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "matches" ADD CONSTRAINT "matches_company_id_debit_invoice_id_invoices_company_id_id_fk" FOREIGN KEY ("company_id","debit_invoice_id") REFERENCES "public"."invoices"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "matches" ADD CONSTRAINT "matches_company_id_debit_payment_id_payments_company_id_id_fk" FOREIGN KEY ("company_id","debit_payment_id") REFERENCES "public"."payments"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "matches" ADD CONSTRAINT "matches_company_id_credit_invoice_id_invoices_company_id_id_fk" FOREIGN KEY ("company_id","credit_invoice_id") REFERENCES "public"."invoices"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "matches" ADD CONSTRAINT "matches_company_id_credit_payment_id_payments_company_id_id_fk" FOREIGN KEY ("company_id","credit_payment_id") REFERENCES "public"."payments"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "matches" ADD CONSTRAINT "matches_company_id_undoes_id_matches_company_id_id_fk" FOREIGN KEY ("company_id","undoes_id") REFERENCES "public"."matches"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_company_id_client_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","client_seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_company_id_buyer_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","buyer_id") REFERENCES "public"."participants"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_company_id_account_id_bank_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."bank_accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_company_id_reverses_id_payments_company_id_id_fk" FOREIGN KEY ("company_id","reverses_id") REFERENCES "public"."payments"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "bank_accounts_iban" ON "bank_accounts" USING btree ("company_id","iban_print") WHERE "bank_accounts"."iban_print" <> '';--> statement-breakpoint
CREATE INDEX "matches_debit_invoice" ON "matches" USING btree ("company_id","debit_invoice_id");--> statement-breakpoint
CREATE INDEX "matches_credit_invoice" ON "matches" USING btree ("company_id","credit_invoice_id");--> statement-breakpoint
CREATE INDEX "matches_debit_payment" ON "matches" USING btree ("company_id","debit_payment_id");--> statement-breakpoint
CREATE INDEX "matches_credit_payment" ON "matches" USING btree ("company_id","credit_payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "matches_undoes" ON "matches" USING btree ("company_id","undoes_id") WHERE "matches"."undoes_id" is not null;--> statement-breakpoint
CREATE INDEX "payments_buyer" ON "payments" USING btree ("company_id","buyer_id","booked_on");--> statement-breakpoint
CREATE INDEX "payments_seller" ON "payments" USING btree ("company_id","seller_id","booked_on");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_reverses" ON "payments" USING btree ("company_id","reverses_id") WHERE "payments"."reverses_id" is not null;