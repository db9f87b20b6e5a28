ALTER TABLE "sso_domains" ADD COLUMN "checked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sso_domains" ADD COLUMN "lapsed_at" timestamp with time zone;--> statement-breakpoint
CREATE TABLE "sso_groups" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"connection_id" uuid NOT NULL,
	"display_name" text NOT NULL,
	"external_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sso_groups_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "sso_group_members" (
	"company_id" integer NOT NULL,
	"group_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "sso_group_members_company_id_group_id_user_id_pk" PRIMARY KEY("company_id","group_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "sso_groups" ADD CONSTRAINT "sso_groups_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_groups" ADD CONSTRAINT "sso_groups_company_id_connection_id_sso_connections_company_id_id_fk" FOREIGN KEY ("company_id","connection_id") REFERENCES "public"."sso_connections"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_group_members" ADD CONSTRAINT "sso_group_members_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_group_members" ADD CONSTRAINT "sso_group_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_group_members" ADD CONSTRAINT "sso_group_members_company_id_group_id_sso_groups_company_id_id_fk" FOREIGN KEY ("company_id","group_id") REFERENCES "public"."sso_groups"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sso_groups_name" ON "sso_groups" USING btree ("company_id","connection_id",lower("display_name"));--> statement-breakpoint
CREATE INDEX "sso_group_members_user" ON "sso_group_members" USING btree ("company_id","user_id");
