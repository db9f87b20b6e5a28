CREATE TABLE "legal_notices" (
	"company_id" integer PRIMARY KEY NOT NULL,
	"notice" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL
);
