CREATE TABLE "payouts" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"set_off" bigint DEFAULT 0 NOT NULL,
	"status" text DEFAULT 'planned' NOT NULL,
	"end_to_end_id" text NOT NULL,
	"message_id" text DEFAULT '' NOT NULL,
	"file_id" uuid,
	"paid_on" date,
	"bank_reference" text DEFAULT '' NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "payouts_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "payouts_status" CHECK ("payouts"."status" in ('planned', 'filed', 'paid', 'cancelled')),
	CONSTRAINT "payouts_amount" CHECK ("payouts"."amount" >= 0 and "payouts"."set_off" >= 0 and "payouts"."amount" + "payouts"."set_off" > 0),
	CONSTRAINT "payouts_paid" CHECK (("payouts"."status" = 'paid') = ("payouts"."paid_on" is not null))
);
--> statement-breakpoint
CREATE TABLE "reminder_holds" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"buyer_id" uuid NOT NULL,
	"invoice_id" uuid,
	"kind" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"starts_on" date NOT NULL,
	"until" date,
	"parts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"closed_on" date,
	"closed_by" text DEFAULT '' NOT NULL,
	"resolution" text DEFAULT '' NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "reminder_holds_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "reminder_holds_kind" CHECK ("reminder_holds"."kind" in ('dispute', 'promise', 'schedule')),
	CONSTRAINT "reminder_holds_until" CHECK (("reminder_holds"."kind" = 'promise') = ("reminder_holds"."until" is not null))
);
--> statement-breakpoint
CREATE TABLE "reminder_items" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"reminder_id" uuid NOT NULL,
	"invoice_id" uuid NOT NULL,
	"level" integer NOT NULL,
	"open" bigint NOT NULL,
	CONSTRAINT "reminder_items_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "reminders" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"buyer_id" uuid NOT NULL,
	"level" integer NOT NULL,
	"sent_on" date NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"open" bigint NOT NULL,
	"snapshot" jsonb NOT NULL,
	"mailed_at" timestamp with time zone,
	"failure" text DEFAULT '' NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reminders_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "reminders_level" CHECK ("reminders"."level" between 1 and 4)
);
--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_company_id_account_id_bank_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."bank_accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_company_id_file_id_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."files"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminder_holds" ADD CONSTRAINT "reminder_holds_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminder_holds" ADD CONSTRAINT "reminder_holds_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminder_holds" ADD CONSTRAINT "reminder_holds_company_id_buyer_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","buyer_id") REFERENCES "public"."participants"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminder_holds" ADD CONSTRAINT "reminder_holds_company_id_invoice_id_invoices_company_id_id_fk" FOREIGN KEY ("company_id","invoice_id") REFERENCES "public"."invoices"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminder_items" ADD CONSTRAINT "reminder_items_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminder_items" ADD CONSTRAINT "reminder_items_company_id_reminder_id_reminders_company_id_id_fk" FOREIGN KEY ("company_id","reminder_id") REFERENCES "public"."reminders"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminder_items" ADD CONSTRAINT "reminder_items_company_id_invoice_id_invoices_company_id_id_fk" FOREIGN KEY ("company_id","invoice_id") REFERENCES "public"."invoices"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_company_id_seller_id_sellers_company_id_id_fk" FOREIGN KEY ("company_id","seller_id") REFERENCES "public"."sellers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_company_id_buyer_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","buyer_id") REFERENCES "public"."participants"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_end_to_end" ON "payouts" USING btree ("company_id","end_to_end_id");--> statement-breakpoint
CREATE INDEX "payouts_seller" ON "payouts" USING btree ("company_id","seller_id");--> statement-breakpoint
CREATE INDEX "reminder_holds_account" ON "reminder_holds" USING btree ("company_id","seller_id","buyer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "reminder_items_once" ON "reminder_items" USING btree ("company_id","reminder_id","invoice_id");--> statement-breakpoint
CREATE UNIQUE INDEX "reminder_items_level" ON "reminder_items" USING btree ("company_id","invoice_id","level");--> statement-breakpoint
CREATE UNIQUE INDEX "reminders_day" ON "reminders" USING btree ("company_id","seller_id","buyer_id","sent_on");--> statement-breakpoint
CREATE INDEX "reminders_sent" ON "reminders" USING btree ("company_id","sent_on");
