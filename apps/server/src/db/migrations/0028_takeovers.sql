CREATE TABLE "past_documents" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_id" uuid NOT NULL,
	"seller_id" uuid NOT NULL,
	"buyer_id" uuid NOT NULL,
	"number" text NOT NULL,
	"kind" text NOT NULL,
	"issued_on" date NOT NULL,
	"due_on" date NOT NULL,
	"month" date NOT NULL,
	"wh" bigint,
	"net" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"gross" bigint NOT NULL,
	"open" bigint NOT NULL,
	"payment_id" uuid,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "past_documents_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "past_documents_kind" CHECK ("past_documents"."kind" in ('invoice', 'creditNote')),
	CONSTRAINT "past_documents_open" CHECK ("past_documents"."open" >= 0 and "past_documents"."open" <= "past_documents"."gross")
);
--> statement-breakpoint
ALTER TABLE "invoice_series" ADD COLUMN "before" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "past_documents" ADD CONSTRAINT "past_documents_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "past_documents" ADD CONSTRAINT "past_documents_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "past_documents" ADD CONSTRAINT "past_documents_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "past_documents" ADD CONSTRAINT "past_documents_company_id_buyer_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","buyer_id") REFERENCES "public"."participants"("company_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "past_documents" ADD CONSTRAINT "past_documents_company_id_payment_id_payments_company_id_id_fk" FOREIGN KEY ("company_id","payment_id") REFERENCES "public"."payments"("company_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "past_documents_number" ON "past_documents" USING btree ("company_id","seller_id","number");
--> statement-breakpoint
CREATE INDEX "past_documents_month" ON "past_documents" USING btree ("company_id","operation_id","month");
