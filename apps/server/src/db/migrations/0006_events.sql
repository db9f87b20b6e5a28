CREATE TABLE "event_cursors" (
	"company_id" integer NOT NULL,
	"subscriber" text NOT NULL,
	"seq" bigint NOT NULL,
	CONSTRAINT "event_cursors_company_id_subscriber_pk" PRIMARY KEY("company_id","subscriber")
);
--> statement-breakpoint
CREATE TABLE "event_heads" (
	"company_id" integer PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"seq" bigint NOT NULL,
	"name" text NOT NULL,
	"object" text NOT NULL,
	"data" jsonb NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "events_company_id_seq_pk" PRIMARY KEY("company_id","seq")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "events_id" ON "events" USING btree ("company_id","id");--> statement-breakpoint
CREATE INDEX "events_object" ON "events" USING btree ("company_id","object","seq");
