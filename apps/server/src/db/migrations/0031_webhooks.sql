ALTER TABLE "webhooks" ADD COLUMN "former_secret" text;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "former_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "failing_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "stopped" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"delivery_id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"status" integer,
	"error" text NOT NULL,
	"milliseconds" integer NOT NULL,
	"answer" text NOT NULL,
	CONSTRAINT "webhook_attempts_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_company_id_delivery_id_webhook_deliveries_company_id_id_fk" FOREIGN KEY ("company_id","delivery_id") REFERENCES "public"."webhook_deliveries"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_attempts_delivery" ON "webhook_attempts" USING btree ("company_id","delivery_id","at");
