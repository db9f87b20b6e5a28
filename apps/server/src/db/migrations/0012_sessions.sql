-- Refresh tokens that were used: one that comes back ends its session.
CREATE TABLE "spent_refreshes" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"origin" text NOT NULL,
	"user_agent" text NOT NULL,
	"spent_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "spent_refreshes" ADD CONSTRAINT "spent_refreshes_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "spent_refreshes_session" ON "spent_refreshes" USING btree ("session_id");
--> statement-breakpoint
-- Whether the password is as long as an administrator's must be; unknown until it is seen again.
ALTER TABLE "users" ADD COLUMN "password_long" boolean;
--> statement-breakpoint
-- Whom the company asks for a second factor: nobody, its back office, everyone.
ALTER TABLE "companies" ADD COLUMN "second_factor" text DEFAULT 'optional' NOT NULL;
--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_second_factor" CHECK ("companies"."second_factor" in ('optional', 'office', 'everyone'));
