CREATE TABLE "portal_visits" (
	"company_id" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"began_at" timestamp with time zone NOT NULL,
	"before_at" timestamp with time zone,
	CONSTRAINT "portal_visits_company_id_user_id_pk" PRIMARY KEY("company_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "portal_visits" ADD CONSTRAINT "portal_visits_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "portal_visits" ADD CONSTRAINT "portal_visits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
