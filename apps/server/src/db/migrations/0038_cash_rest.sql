ALTER TABLE "billing_mandates" ADD COLUMN "collects" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "bank_lines" ADD COLUMN "online_account_id" uuid;
--> statement-breakpoint
ALTER TABLE "bank_lines" ADD CONSTRAINT "bank_lines_company_id_online_account_id_bank_accounts_company_id_id_fk" FOREIGN KEY ("company_id","online_account_id") REFERENCES "public"."bank_accounts"("company_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "book_entries" DROP CONSTRAINT "book_entries_journal";
--> statement-breakpoint
ALTER TABLE "book_entries" ADD CONSTRAINT "book_entries_journal" CHECK ("book_entries"."journal" in ('opening', 'sales', 'bank', 'misc'));
