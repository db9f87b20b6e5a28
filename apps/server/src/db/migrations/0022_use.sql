-- What a search compares of an invoice: its number and its buyer as printed. An index of its own answers it without reading what was issued.
ALTER TABLE invoices ADD COLUMN search text GENERATED ALWAYS AS (search_key(
  number || ' ' || coalesce(snapshot #>> '{buyer,name}', ''))) STORED;
--> statement-breakpoint
CREATE INDEX "invoices_search" ON "invoices" USING btree ("company_id","issued_on","id") INCLUDE ("search","operation_id","buyer_id");
