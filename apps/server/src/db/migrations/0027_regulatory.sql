CREATE TABLE "duty_marks" (
	"company_id" integer NOT NULL,
	"duty" text NOT NULL,
	"done_on" date NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "duty_marks_company_id_duty_pk" PRIMARY KEY("company_id","duty")
);
--> statement-breakpoint
CREATE TABLE "regulatory_exports" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"operation_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"period" text NOT NULL,
	"number" integer NOT NULL,
	"rows" integer NOT NULL,
	"hash" text NOT NULL,
	"subjects" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"file_id" uuid NOT NULL,
	"paper_id" uuid,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "regulatory_exports_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "regulatory_sendings" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"export_id" uuid NOT NULL,
	"sent_on" date NOT NULL,
	"recipient" text NOT NULL,
	"channel" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "regulatory_sendings_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "regulatory_sendings_channel" CHECK ("regulatory_sendings"."channel" in ('mail', 'portal', 'post', 'hand'))
);
--> statement-breakpoint
ALTER TABLE "regulatory_exports" ADD CONSTRAINT "regulatory_exports_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "regulatory_exports" ADD CONSTRAINT "regulatory_exports_company_id_operation_id_operations_company_id_id_fk" FOREIGN KEY ("company_id","operation_id") REFERENCES "public"."operations"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "regulatory_exports" ADD CONSTRAINT "regulatory_exports_company_id_file_id_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."files"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "regulatory_exports" ADD CONSTRAINT "regulatory_exports_company_id_paper_id_files_company_id_id_fk" FOREIGN KEY ("company_id","paper_id") REFERENCES "public"."files"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "regulatory_sendings" ADD CONSTRAINT "regulatory_sendings_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "regulatory_sendings" ADD CONSTRAINT "regulatory_sendings_company_id_export_id_regulatory_exports_company_id_id_fk" FOREIGN KEY ("company_id","export_id") REFERENCES "public"."regulatory_exports"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "regulatory_exports_number" ON "regulatory_exports" USING btree ("company_id","operation_id","kind","period","number");