ALTER TABLE "api_keys" ADD COLUMN "allowed_networks" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_ip" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_call" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "per_second" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "per_month" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "retires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "replaces" uuid;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_replaces_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","replaces") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE TABLE "call_counts" (
	"company_id" integer NOT NULL,
	"step" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"kind" text NOT NULL,
	"who" uuid NOT NULL,
	"route" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"calls" bigint DEFAULT 0 NOT NULL,
	"errors" bigint DEFAULT 0 NOT NULL,
	"failures" bigint DEFAULT 0 NOT NULL,
	"bytes_in" bigint DEFAULT 0 NOT NULL,
	"bytes_out" bigint DEFAULT 0 NOT NULL,
	"buckets" bigint[] NOT NULL,
	CONSTRAINT "call_counts_company_id_step_at_kind_who_route_reason_pk" PRIMARY KEY("company_id","step","at","kind","who","route","reason")
);
--> statement-breakpoint
CREATE INDEX "call_counts_age" ON "call_counts" USING btree ("step","at");--> statement-breakpoint
CREATE TABLE "key_calls" (
	"company_id" integer NOT NULL,
	"key_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"request_id" text NOT NULL,
	"route" text NOT NULL,
	"status" integer NOT NULL,
	"micros" integer NOT NULL,
	"bytes_out" bigint NOT NULL,
	"ip" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	CONSTRAINT "key_calls_company_id_key_id_at_request_id_pk" PRIMARY KEY("company_id","key_id","at","request_id")
);
--> statement-breakpoint
CREATE INDEX "key_calls_age" ON "key_calls" USING btree ("at");--> statement-breakpoint
CREATE TABLE "call_budgets" (
	"company_id" integer NOT NULL,
	"owner" uuid NOT NULL,
	"span" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"amount" double precision NOT NULL,
	"taken" integer NOT NULL,
	CONSTRAINT "call_budgets_company_id_owner_span_pk" PRIMARY KEY("company_id","owner","span")
);
--> statement-breakpoint
CREATE TABLE "gateway_limits" (
	"company_id" integer PRIMARY KEY NOT NULL,
	"per_second" integer,
	"per_month" integer,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_checks" (
	"company_id" integer PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"links" bigint DEFAULT 0 NOT NULL,
	"broken_seq" bigint,
	"fault" text,
	"sheet" text
);
--> statement-breakpoint
CREATE FUNCTION add_buckets(bigint[], bigint[]) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ select array(select coalesce(a, 0) + coalesce(b, 0) from unnest($1, $2) as u(a, b)) $$;--> statement-breakpoint
CREATE AGGREGATE sum_buckets(bigint[]) (SFUNC = add_buckets, STYPE = bigint[], INITCOND = '{}', COMBINEFUNC = add_buckets, PARALLEL = SAFE);
