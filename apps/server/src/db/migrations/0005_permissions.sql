CREATE TABLE "roles" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"permissions" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "roles_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "roles" ADD CONSTRAINT "roles_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE TABLE "api_keys" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"permissions" text[] NOT NULL,
	"operation_ids" uuid[],
	"maker_id" uuid NOT NULL,
	"expires_on" date,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_maker_id_users_id_fk" FOREIGN KEY ("maker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("company_id","key_hash");--> statement-breakpoint
-- Whoever administered a company goes on doing so; everybody else has the portal.
ALTER TABLE "memberships" ADD COLUMN "role" text;--> statement-breakpoint
UPDATE "memberships" SET "role" = CASE WHEN "is_admin" THEN 'admin' ELSE 'client' END;--> statement-breakpoint
ALTER TABLE "memberships" ALTER COLUMN "role" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "role_id" uuid;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "operation_ids" uuid[];--> statement-breakpoint
ALTER TABLE "memberships" DROP COLUMN "is_admin";--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_company_id_role_id_roles_company_id_id_fk" FOREIGN KEY ("company_id","role_id") REFERENCES "public"."roles"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_role" CHECK (("memberships"."role" = 'custom') = ("memberships"."role_id" is not null));--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "space" text;
