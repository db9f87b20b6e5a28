CREATE TABLE "audit_starts" (
	"company_id" integer PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"seal" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "retention_runs" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"stage" text NOT NULL,
	"months" jsonb NOT NULL,
	"seal" text NOT NULL,
	"counts" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	"confirmed_by" text DEFAULT '' NOT NULL,
	CONSTRAINT "retention_runs_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "retention_runs_stage" CHECK ("retention_runs"."stage" in ('preview', 'pass'))
);
--> statement-breakpoint
CREATE TABLE "retired_curves" (
	"company_id" integer PRIMARY KEY NOT NULL,
	"before" date NOT NULL
);
--> statement-breakpoint
ALTER TABLE "allocation_runs" ADD COLUMN "kept_hash" text;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "erasure_asked_on" date;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "erased_on" date;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "example_of" integer;--> statement-breakpoint
ALTER TABLE "audit_starts" ADD CONSTRAINT "audit_starts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "retention_runs" ADD CONSTRAINT "retention_runs_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "retired_curves" ADD CONSTRAINT "retired_curves_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "retention_runs_recent" ON "retention_runs" USING btree ("company_id","stage","created_at");--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_example_of_companies_id_fk" FOREIGN KEY ("example_of") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "companies_example" ON "companies" USING btree ("example_of") WHERE "companies"."example_of" is not null;--> statement-breakpoint
-- The few ways in which rows that only grow go again. They run as the owner of the tables, each for one company and one reason:
-- the application may call them and nothing wider. Where one role is both, it lifts its own refusal for this transaction's statement.
CREATE FUNCTION lift_refusal(t regclass, deed text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF has_table_privilege(current_user, t, deed) THEN RETURN false; END IF;
  EXECUTE format('grant %s on %s to current_user', deed, t);
  RETURN true;
END $$;
--> statement-breakpoint
CREATE FUNCTION erase_example(example integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  waiting text[];
  held text[];
  lifted text[] := '{}';
  item text;
BEGIN
  IF EXISTS (SELECT FROM companies WHERE id = example AND example_of IS NULL) THEN
    RAISE EXCEPTION 'company % is not an example', example;
  END IF;
  SELECT array_agg(DISTINCT format('%s %I', r.t, r.c)) INTO waiting FROM (
    SELECT c.oid::regclass::text AS t, 'company_id' AS c
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'company_id' AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    UNION
    SELECT f.conrelid::regclass::text, a.attname::text
      FROM pg_constraint f JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[1]
     WHERE f.contype = 'f' AND f.confrelid = 'companies'::regclass AND f.conrelid <> 'companies'::regclass) r;
  FOREACH item IN ARRAY waiting LOOP
    IF lift_refusal(split_part(item, ' ', 1)::regclass, 'delete') THEN lifted := lifted || split_part(item, ' ', 1); END IF;
  END LOOP;
  -- What others still name waits for another round.
  LOOP
    held := '{}';
    FOREACH item IN ARRAY waiting LOOP
      BEGIN
        EXECUTE format('delete from %s where %s = $1', split_part(item, ' ', 1), split_part(item, ' ', 2)) USING example;
      EXCEPTION WHEN foreign_key_violation THEN
        held := held || item;
      END;
    END LOOP;
    EXIT WHEN cardinality(held) = 0;
    IF cardinality(held) = cardinality(waiting) THEN RAISE EXCEPTION 'these rows name each other: %', held; END IF;
    waiting := held;
  END LOOP;
  DELETE FROM companies WHERE id = example;
  FOREACH item IN ARRAY lifted LOOP EXECUTE format('revoke delete on %s from current_user', item); END LOOP;
END $$;
--> statement-breakpoint
-- The steps of a month, once Enedis corrects it no more: each is missing from then on, and never zero. The sums of its days, of
-- the month and of what was shared stay, and with them every total.
CREATE FUNCTION retire_curves(company integer, month date) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  until date := (month + interval '1 month')::date;
  gone bigint;
  curves boolean;
  shares boolean;
BEGIN
  IF month <> date_trunc('month', month)::date OR until > (current_date - interval '14 months')::date THEN
    RAISE EXCEPTION 'the curves of % are still needed', month;
  END IF;
  curves := lift_refusal('curve_days', 'update');
  shares := lift_refusal('allocation_days', 'update');
  UPDATE curve_days SET watts = decode(repeat('ff', length(watts)), 'hex')
   WHERE company_id = company AND day >= month AND day < until;
  GET DIAGNOSTICS gone = ROW_COUNT;
  UPDATE allocation_days SET allocated = decode(repeat('ff', length(allocated)), 'hex')
   WHERE company_id = company AND day >= month AND day < until;
  IF curves THEN
    REVOKE UPDATE ON curve_days FROM current_user;
    GRANT UPDATE (superseded_at) ON curve_days TO current_user;
  END IF;
  IF shares THEN REVOKE UPDATE ON allocation_days FROM current_user; END IF;
  RETURN gone;
END $$;
--> statement-breakpoint
CREATE FUNCTION retire_audit(company integer, until timestamp with time zone, most integer) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  gone bigint;
  lifted boolean;
BEGIN
  IF until > now() - interval '12 months' THEN RAISE EXCEPTION 'the journal after % is still needed', until; END IF;
  lifted := lift_refusal('audit_entries', 'delete');
  -- From the first on, without a gap: what remains is a chain.
  DELETE FROM audit_entries WHERE company_id = company AND seq IN (
    SELECT seq FROM audit_entries WHERE company_id = company AND at < until
       AND seq < (SELECT coalesce(min(seq), 9223372036854775807) FROM audit_entries WHERE company_id = company AND at >= until)
     ORDER BY seq LIMIT most);
  GET DIAGNOSTICS gone = ROW_COUNT;
  IF lifted THEN REVOKE DELETE ON audit_entries FROM current_user; END IF;
  RETURN gone;
END $$;
--> statement-breakpoint
-- What was drawn up about somebody who is forgotten, and proves nothing to anybody else: reports, checks of a supplier's bills.
CREATE FUNCTION forget_person(company integer, person uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  t text;
  lifted boolean;
BEGIN
  IF NOT EXISTS (SELECT FROM participants WHERE company_id = company AND id = person AND erased_on IS NOT NULL) THEN
    RAISE EXCEPTION 'participant % is not erased', person;
  END IF;
  FOREACH t IN ARRAY ARRAY['supplier_bills', 'reports'] LOOP
    lifted := lift_refusal(t::regclass, 'delete');
    EXECUTE format('delete from %I where company_id = $1 and participant_id = $2', t) USING company, person;
    IF lifted THEN EXECUTE format('revoke delete on %I from current_user', t); END IF;
  END LOOP;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION forget_person(integer, uuid), erase_example(integer), retire_curves(integer, date), retire_audit(integer, timestamp with time zone, integer) FROM PUBLIC;
