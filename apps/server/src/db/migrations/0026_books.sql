CREATE TABLE "book_doubts" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"invoice_id" uuid NOT NULL,
	"cents" bigint NOT NULL,
	"lost" bigint NOT NULL,
	"booked_on" date NOT NULL,
	"reason" text NOT NULL,
	"lifts_id" uuid,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "book_doubts_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "book_doubts_cents" CHECK ("book_doubts"."cents" > 0 and "book_doubts"."lost" between 0 and "book_doubts"."cents")
);
--> statement-breakpoint
CREATE TABLE "book_entries" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"source" text NOT NULL,
	"journal" text NOT NULL,
	"journal_code" text NOT NULL,
	"journal_label" text NOT NULL,
	"year_from" date NOT NULL,
	"number" integer NOT NULL,
	"day" date NOT NULL,
	"piece_ref" text NOT NULL,
	"piece_day" date NOT NULL,
	"label" text NOT NULL,
	"validated_on" date NOT NULL,
	CONSTRAINT "book_entries_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "book_entries_journal" CHECK ("book_entries"."journal" in ('sales', 'bank', 'misc'))
);
--> statement-breakpoint
CREATE TABLE "book_lines" (
	"company_id" integer NOT NULL,
	"entry_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"account" text NOT NULL,
	"account_label" text NOT NULL,
	"aux" text NOT NULL,
	"aux_label" text NOT NULL,
	"debit" bigint NOT NULL,
	"credit" bigint NOT NULL,
	"item" text NOT NULL,
	CONSTRAINT "book_lines_company_id_entry_id_position_pk" PRIMARY KEY("company_id","entry_id","position"),
	CONSTRAINT "book_lines_side" CHECK ("book_lines"."debit" >= 0 and "book_lines"."credit" >= 0 and ("book_lines"."debit" = 0) <> ("book_lines"."credit" = 0))
);
--> statement-breakpoint
CREATE TABLE "book_locks" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"month" date NOT NULL,
	"entries" integer NOT NULL,
	"hash" text NOT NULL,
	"previous_hash" text NOT NULL,
	"locked_at" timestamp with time zone NOT NULL,
	"locked_by" text NOT NULL,
	CONSTRAINT "book_locks_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "book_notes" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"source" text NOT NULL,
	"text" text NOT NULL,
	"kind" text NOT NULL,
	"author_id" uuid,
	"author" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "book_notes_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "book_notes_kind" CHECK ("book_notes"."kind" in ('question', 'answer', 'settled'))
);
--> statement-breakpoint
CREATE TABLE "book_profiles" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"profile" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "book_profiles_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "book_settings" (
	"company_id" integer NOT NULL,
	"seller_id" uuid NOT NULL,
	"chart" jsonb NOT NULL,
	"journals" jsonb NOT NULL,
	"year_start" integer DEFAULT 1 NOT NULL,
	"small_write_off" integer DEFAULT 500 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "book_settings_company_id_seller_id_pk" PRIMARY KEY("company_id","seller_id"),
	CONSTRAINT "book_settings_year" CHECK ("book_settings"."year_start" between 1 and 12)
);
--> statement-breakpoint
CREATE TABLE "declarations" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"seller_id" uuid,
	"participant_id" uuid,
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"number" integer NOT NULL,
	"file_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "declarations_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "declarations_kind" CHECK ("declarations"."kind" in ('vat', 'accise', 'eReporting', 'fec', 'participantYear', 'producerYear'))
);
--> statement-breakpoint
ALTER TABLE "book_doubts" ADD CONSTRAINT "book_doubts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_doubts" ADD CONSTRAINT "book_doubts_company_id_invoice_id_invoices_company_id_id_fk" FOREIGN KEY ("company_id","invoice_id") REFERENCES "public"."invoices"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_doubts" ADD CONSTRAINT "book_doubts_company_id_lifts_id_book_doubts_company_id_id_fk" FOREIGN KEY ("company_id","lifts_id") REFERENCES "public"."book_doubts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_entries" ADD CONSTRAINT "book_entries_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_entries" ADD CONSTRAINT "book_entries_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_lines" ADD CONSTRAINT "book_lines_company_id_entry_id_book_entries_company_id_id_fk" FOREIGN KEY ("company_id","entry_id") REFERENCES "public"."book_entries"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_locks" ADD CONSTRAINT "book_locks_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_locks" ADD CONSTRAINT "book_locks_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_notes" ADD CONSTRAINT "book_notes_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_notes" ADD CONSTRAINT "book_notes_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_profiles" ADD CONSTRAINT "book_profiles_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_settings" ADD CONSTRAINT "book_settings_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "declarations" ADD CONSTRAINT "declarations_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "declarations" ADD CONSTRAINT "declarations_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "declarations" ADD CONSTRAINT "declarations_company_id_participant_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","participant_id") REFERENCES "public"."participants"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "declarations" ADD CONSTRAINT "declarations_company_id_file_id_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."files"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "book_doubts_lifts" ON "book_doubts" USING btree ("company_id","lifts_id") WHERE "book_doubts"."lifts_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "book_entries_source" ON "book_entries" USING btree ("company_id","seller_id","source");--> statement-breakpoint
CREATE UNIQUE INDEX "book_entries_number" ON "book_entries" USING btree ("company_id","seller_id","year_from","journal","number");--> statement-breakpoint
CREATE INDEX "book_entries_day" ON "book_entries" USING btree ("company_id","seller_id","day");--> statement-breakpoint
CREATE UNIQUE INDEX "book_locks_month" ON "book_locks" USING btree ("company_id","seller_id","month");--> statement-breakpoint
CREATE INDEX "book_notes_source" ON "book_notes" USING btree ("company_id","seller_id","source","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "book_profiles_name" ON "book_profiles" USING btree ("company_id","name");--> statement-breakpoint
CREATE INDEX "declarations_what" ON "declarations" USING btree ("company_id","kind","seller_id","participant_id","from_day");