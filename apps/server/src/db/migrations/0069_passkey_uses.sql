CREATE TABLE "passkey_uses" (
	"passkey_id" uuid PRIMARY KEY NOT NULL,
	"counter" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "passkey_uses" ADD CONSTRAINT "passkey_uses_passkey_id_passkeys_id_fk" FOREIGN KEY ("passkey_id") REFERENCES "public"."passkeys"("id") ON DELETE cascade ON UPDATE no action;