CREATE TABLE "incidents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"parts" text[] NOT NULL,
	"severity" text,
	"state" text NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "incidents_kind" CHECK ("incidents"."kind" in ('incident', 'maintenance')),
	CONSTRAINT "incidents_window" CHECK (("incidents"."kind" = 'maintenance') = ("incidents"."ends_at" is not null) and "incidents"."ends_at" > "incidents"."starts_at")
);
--> statement-breakpoint
CREATE TABLE "incident_updates" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"incident_id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"state" text NOT NULL,
	"message" text NOT NULL,
	CONSTRAINT "incident_updates_incident" FOREIGN KEY ("incident_id") REFERENCES "incidents"("id")
);
--> statement-breakpoint
CREATE TABLE "status_subscribers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "status_subscribers_state" CHECK ("status_subscribers"."state" in ('waiting', 'confirmed', 'left'))
);
--> statement-breakpoint
CREATE INDEX "incidents_newest" ON "incidents" USING btree ("starts_at" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "incident_updates_of" ON "incident_updates" USING btree ("incident_id","at");
--> statement-breakpoint
CREATE UNIQUE INDEX "status_subscribers_email" ON "status_subscribers" USING btree ("email");
