CREATE TABLE "portal_holders" (
	"company_id" integer NOT NULL,
	"participant_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "portal_holders_company_id_participant_id_user_id_pk" PRIMARY KEY("company_id","participant_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "portal_holders" ADD CONSTRAINT "portal_holders_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "portal_holders" ADD CONSTRAINT "portal_holders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "portal_holders" ADD CONSTRAINT "portal_holders_company_id_participant_id_participants_company_id_id_fk" FOREIGN KEY ("company_id","participant_id") REFERENCES "public"."participants"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "portal_holders_user" ON "portal_holders" USING btree ("company_id","user_id");
