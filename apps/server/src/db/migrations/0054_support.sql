CREATE TABLE "canned_replies" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"desk" text NOT NULL,
	"name" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "canned_replies_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "support_hours" (
	"company_id" integer NOT NULL,
	"desk" text NOT NULL,
	"hours" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "support_hours_company_id_desk_pk" PRIMARY KEY("company_id","desk")
);
--> statement-breakpoint
CREATE TABLE "ticket_files" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"file_id" uuid NOT NULL,
	"message_id" uuid,
	"added_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ticket_files_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "ticket_messages" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"ticket_id" uuid NOT NULL,
	"written_in" uuid,
	"side" text NOT NULL,
	"author_id" uuid,
	"author" text NOT NULL,
	"body" text NOT NULL,
	"source" text DEFAULT 'web' NOT NULL,
	"held_from" text,
	"mail_key" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ticket_messages_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "ticket_messages_side" CHECK ("ticket_messages"."side" in ('asker', 'desk'))
);
--> statement-breakpoint
CREATE TABLE "ticket_notes" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"ticket_company_id" integer NOT NULL,
	"ticket_id" uuid NOT NULL,
	"author" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ticket_notes_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "tickets" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"number" integer NOT NULL,
	"desk" text NOT NULL,
	"asker_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"category" text NOT NULL,
	"priority" text DEFAULT 'normal' NOT NULL,
	"state" text DEFAULT 'new' NOT NULL,
	"about_kind" text,
	"about_id" uuid,
	"about_day" date,
	"about_label" text DEFAULT '' NOT NULL,
	"assignee_id" uuid,
	"first_minutes" integer NOT NULL,
	"solve_minutes" integer NOT NULL,
	"first_due_at" timestamp with time zone NOT NULL,
	"first_answer_at" timestamp with time zone,
	"spent_minutes" integer DEFAULT 0 NOT NULL,
	"running_since" timestamp with time zone,
	"solve_due_at" timestamp with time zone,
	"solved_at" timestamp with time zone,
	"merged_into" uuid,
	"score" integer,
	"score_word" text DEFAULT '' NOT NULL,
	"scored_at" timestamp with time zone,
	"last_message_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_side" text DEFAULT 'asker' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "tickets_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "tickets_desk" CHECK ("tickets"."desk" in ('organiser', 'keeper')),
	CONSTRAINT "tickets_state" CHECK ("tickets"."state" in ('new', 'open', 'waiting', 'solved', 'closed')),
	CONSTRAINT "tickets_score" CHECK ("tickets"."score" between 1 and 5)
);
--> statement-breakpoint
ALTER TABLE "canned_replies" ADD CONSTRAINT "canned_replies_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_hours" ADD CONSTRAINT "support_hours_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_files" ADD CONSTRAINT "ticket_files_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_files" ADD CONSTRAINT "ticket_files_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_files" ADD CONSTRAINT "ticket_files_company_id_file_id_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."files"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_files" ADD CONSTRAINT "ticket_files_company_id_message_id_ticket_messages_company_id_id_fk" FOREIGN KEY ("company_id","message_id") REFERENCES "public"."ticket_messages"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_messages" ADD CONSTRAINT "ticket_messages_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_messages" ADD CONSTRAINT "ticket_messages_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_messages" ADD CONSTRAINT "ticket_messages_company_id_ticket_id_tickets_company_id_id_fk" FOREIGN KEY ("company_id","ticket_id") REFERENCES "public"."tickets"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_notes" ADD CONSTRAINT "ticket_notes_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_notes" ADD CONSTRAINT "ticket_notes_ticket_company_id_companies_id_fk" FOREIGN KEY ("ticket_company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_asker_id_users_id_fk" FOREIGN KEY ("asker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "canned_replies_name" ON "canned_replies" USING btree ("company_id","desk","name");--> statement-breakpoint
CREATE INDEX "ticket_files_message" ON "ticket_files" USING btree ("company_id","message_id");--> statement-breakpoint
CREATE INDEX "ticket_files_unsent" ON "ticket_files" USING btree ("created_at") WHERE "ticket_files"."message_id" is null;--> statement-breakpoint
CREATE INDEX "ticket_messages_thread" ON "ticket_messages" USING btree ("company_id","ticket_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "ticket_messages_mail" ON "ticket_messages" USING btree ("company_id","mail_key");--> statement-breakpoint
CREATE INDEX "ticket_notes_ticket" ON "ticket_notes" USING btree ("company_id","ticket_company_id","ticket_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_number" ON "tickets" USING btree ("company_id","number");--> statement-breakpoint
CREATE INDEX "tickets_asker" ON "tickets" USING btree ("company_id","asker_id","last_message_at");--> statement-breakpoint
CREATE INDEX "tickets_queue" ON "tickets" USING btree ("company_id","desk","state","last_message_at");--> statement-breakpoint
CREATE INDEX "tickets_keeper" ON "tickets" USING btree ("state","last_message_at") WHERE "tickets"."desk" = 'keeper';