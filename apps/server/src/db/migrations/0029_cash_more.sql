CREATE TABLE "lot_spreads" (
	"company_id" integer NOT NULL,
	"participant_id" uuid NOT NULL,
	"by" text NOT NULL,
	"lots" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "lot_spreads_company_id_participant_id_pk" PRIMARY KEY("company_id","participant_id"),
	CONSTRAINT "lot_spreads_by" CHECK ("lot_spreads"."by" in ('share', 'lot'))
);
--> statement-breakpoint
ALTER TABLE "lot_spreads" ADD CONSTRAINT "lot_spreads_company_id_participant_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","participant_id") REFERENCES "public"."participants"("company_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sellers" ADD COLUMN "payfip" text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "first_marked" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "line_id" uuid;
--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_company_id_line_id_bank_lines_company_id_id_fk" FOREIGN KEY ("company_id","line_id") REFERENCES "public"."bank_lines"("company_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "payouts_line" ON "payouts" USING btree ("company_id","line_id");
