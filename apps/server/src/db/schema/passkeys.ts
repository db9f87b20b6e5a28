import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bigNumber, bytes, createdAt, instant, version } from './columns.ts'
import { users } from './users.ts'

export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** As the authenticator names it, in base64url. */
    credentialId: text('credential_id').notNull(),
    publicKey: bytes('public_key').notNull(),
    /** How often it was used when it was added, as it says itself: one that goes back was copied. */
    counter: bigNumber('counter').notNull(),
    transports: text('transports').array().notNull(),
    name: text('name').notNull(),
    /** Of the version before; it is kept in `passkey_uses`. */
    lastUsedAt: instant('last_used_at'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [uniqueIndex('passkeys_credential').on(t.credentialId), index('passkeys_user').on(t.userId)],
)

/** What signing in writes of a passkey, apart from it: whoever comes in needs no machine but the first. */
export const passkeyUses = pgTable('passkey_uses', {
  passkeyId: uuid('passkey_id')
    .primaryKey()
    .references(() => passkeys.id, { onDelete: 'cascade' }),
  /** As the authenticator said it the last time. */
  counter: bigNumber('counter').notNull(),
  at: instant('at').notNull(),
})

/** What an authenticator is asked to sign, once: for the account that adds it, or for whoever signs in. */
export const passkeyChallenges = pgTable('passkey_challenges', {
  challengeHash: bytes('challenge_hash').primaryKey(),
  userId: uuid('user_id').references(() => users.id),
  expiresAt: instant('expires_at').notNull(),
})
