-- Rows of an example, in these tables of a company. Those that stay elsewhere are named by whoever asks: on a distributed
-- PostgreSQL a machine reaches its own alone. Whoever may not remove them otherwise asks one of the two below.
CREATE FUNCTION erase_rows(example integer, tables text[]) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  waiting text[] := tables;
  held text[];
  lifted text[] := '{}';
  t text;
BEGIN
  IF EXISTS (SELECT FROM companies WHERE id = example AND example_of IS NULL) THEN
    RAISE EXCEPTION 'company % is not an example', example;
  END IF;
  FOREACH t IN ARRAY tables LOOP
    IF lift_refusal(format('%I', t)::regclass, 'delete') THEN lifted := lifted || t; END IF;
  END LOOP;
  -- What others still name waits for another round.
  WHILE cardinality(waiting) > 0 LOOP
    held := '{}';
    FOREACH t IN ARRAY waiting LOOP
      BEGIN
        EXECUTE format('delete from %I where company_id = $1', t) USING example;
      EXCEPTION WHEN foreign_key_violation THEN
        held := held || t;
      END;
    END LOOP;
    IF cardinality(held) = cardinality(waiting) THEN RAISE EXCEPTION 'these rows name each other: %', held; END IF;
    waiting := held;
  END LOOP;
  FOREACH t IN ARRAY lifted LOOP EXECUTE format('revoke delete on %I from current_user', t); END LOOP;
END $$;
--> statement-breakpoint
-- In the owner's name, on the machine of the company's rows. The one without tables serves the version before until it has gone.
CREATE FUNCTION erase_example(example integer, tables text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM erase_rows(example, tables);
END $$;
--> statement-breakpoint
-- In the owner's name, on the machine that is asked.
CREATE FUNCTION erase_example_here(example integer, tables text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM erase_rows(example, tables);
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION erase_rows(integer, text[]), erase_example(integer, text[]), erase_example_here(integer, text[]) FROM PUBLIC;
--> statement-breakpoint
CREATE TABLE "sign_ins" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone,
	"totp_step" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
INSERT INTO "sign_ins" SELECT "id", "last_sign_in_at", "totp_last_step" FROM "users" WHERE "last_sign_in_at" IS NOT NULL OR "totp_last_step" > 0;
