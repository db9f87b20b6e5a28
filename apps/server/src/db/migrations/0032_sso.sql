CREATE TABLE "sso_attempts" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"connection_id" uuid NOT NULL,
	"state_hash" "bytea" NOT NULL,
	"browser_hash" "bytea" NOT NULL,
	"sealed" text NOT NULL,
	"tester_id" uuid,
	"expires_at" timestamp with time zone NOT NULL,
	"answered_at" timestamp with time zone,
	"assertion_id" text,
	"outcome" text,
	"ticket_hash" "bytea",
	"spent_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sso_attempts_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "sso_connections" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"issuer" text DEFAULT '' NOT NULL,
	"client_id" text DEFAULT '' NOT NULL,
	"client_secret" text,
	"secret_expires_on" date,
	"entity_id" text DEFAULT '' NOT NULL,
	"sso_url" text DEFAULT '' NOT NULL,
	"certificates" text[] DEFAULT '{}' NOT NULL,
	"response_signed" boolean DEFAULT false NOT NULL,
	"signing_key" text,
	"signing_certificate" text,
	"group_claim" text DEFAULT 'groups' NOT NULL,
	"roles" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"default_role" text,
	"tested_at" timestamp with time zone,
	"activated_at" timestamp with time zone,
	"enforced_at" timestamp with time zone,
	"break_glass_id" uuid,
	"scim_hash" "bytea",
	"scim_made_at" timestamp with time zone,
	"scim_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "sso_connections_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "sso_connections_kind" CHECK ("sso_connections"."kind" in ('oidc', 'saml')),
	CONSTRAINT "sso_connections_enforced" CHECK ("sso_connections"."enforced_at" is null or "sso_connections"."break_glass_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "sso_domains" (
	"company_id" integer NOT NULL,
	"domain" text NOT NULL,
	"connection_id" uuid NOT NULL,
	"token" text NOT NULL,
	"proved_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sso_domains_company_id_domain_pk" PRIMARY KEY("company_id","domain")
);
--> statement-breakpoint
CREATE TABLE "sso_people" (
	"company_id" integer NOT NULL,
	"connection_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"subject" text,
	"external_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sso_people_company_id_connection_id_user_id_pk" PRIMARY KEY("company_id","connection_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "sso_connection_id" uuid;--> statement-breakpoint
ALTER TABLE "sso_attempts" ADD CONSTRAINT "sso_attempts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_attempts" ADD CONSTRAINT "sso_attempts_tester_id_users_id_fk" FOREIGN KEY ("tester_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_attempts" ADD CONSTRAINT "sso_attempts_company_id_connection_id_sso_connections_company_id_id_fk" FOREIGN KEY ("company_id","connection_id") REFERENCES "public"."sso_connections"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_connections" ADD CONSTRAINT "sso_connections_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_connections" ADD CONSTRAINT "sso_connections_break_glass_id_users_id_fk" FOREIGN KEY ("break_glass_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_domains" ADD CONSTRAINT "sso_domains_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_domains" ADD CONSTRAINT "sso_domains_company_id_connection_id_sso_connections_company_id_id_fk" FOREIGN KEY ("company_id","connection_id") REFERENCES "public"."sso_connections"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_people" ADD CONSTRAINT "sso_people_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_people" ADD CONSTRAINT "sso_people_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_people" ADD CONSTRAINT "sso_people_company_id_connection_id_sso_connections_company_id_id_fk" FOREIGN KEY ("company_id","connection_id") REFERENCES "public"."sso_connections"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sso_attempts_state" ON "sso_attempts" USING btree ("company_id","state_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "sso_attempts_assertion" ON "sso_attempts" USING btree ("company_id","connection_id","assertion_id") WHERE "sso_attempts"."assertion_id" is not null;--> statement-breakpoint
CREATE INDEX "sso_attempts_age" ON "sso_attempts" USING btree ("company_id","expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sso_connections_scim" ON "sso_connections" USING btree ("company_id","scim_hash") WHERE "sso_connections"."scim_hash" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "sso_domains_proved" ON "sso_domains" USING btree ("domain") WHERE "sso_domains"."proved_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "sso_people_subject" ON "sso_people" USING btree ("company_id","connection_id","subject") WHERE "sso_people"."subject" is not null;