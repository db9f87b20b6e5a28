import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, createdAt, instant, version } from './columns.ts'
import { companies } from './companies.ts'
import { roles } from './roles.ts'

/** A person's account. What a company decides about that person stands in `memberships`. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    email: text('email').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    phone: text('phone').notNull().default(''),
    /** Null until the invitation is accepted. */
    passwordHash: text('password_hash'),
    /** Whether it is as long as an administrator's must be; unknown until it is seen again. */
    passwordLong: boolean('password_long'),
    totpSecret: text('totp_secret'),
    totpEnabledAt: instant('totp_enabled_at'),
    /** Of the version before; it is kept in `sign_ins`. */
    totpLastStep: integer('totp_last_step').notNull().default(0),
    /** Since when the address is known to be theirs; until then their company writes to nobody else. */
    emailVerifiedAt: instant('email_verified_at'),
    /** Of the version before; it is kept in `sign_ins`. */
    lastSignInAt: instant('last_sign_in_at'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [uniqueIndex('users_email').on(sql`lower(${t.email})`)],
)

/** What signing in writes of an account, apart from it: whoever comes in needs no machine but the first. */
export const signIns = pgTable('sign_ins', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  /** The last time. */
  at: instant('at'),
  /** The last 30-second step accepted: a code is good once. */
  totpStep: integer('totp_step').notNull().default(0),
})

export const memberships = pgTable(
  'memberships',
  {
    companyId: integer('company_id')
      .notNull()
      .references(() => companies.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** One of the product's roles, or `custom`: then `role_id` names one of the company's own. */
    role: text('role').notNull(),
    roleId: uuid('role_id'),
    /** The operations that the person is limited to; null where there is no limit. */
    operationIds: uuid('operation_ids').array(),
    disabledAt: instant('disabled_at'),
    /** Null while the invitation waits. */
    acceptedAt: instant('accepted_at'),
    invitationHash: bytes('invitation_hash'),
    invitationExpiresAt: instant('invitation_expires_at'),
    invitedFirstName: text('invited_first_name').notNull().default(''),
    invitedLastName: text('invited_last_name').notNull().default(''),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.userId] }),
    foreignKey({ columns: [t.companyId, t.roleId], foreignColumns: [roles.companyId, roles.id] }),
    check('memberships_role', sql`(${t.role} = 'custom') = (${t.roleId} is not null)`),
    index('memberships_user').on(t.userId),
    uniqueIndex('memberships_invitation').on(t.invitationHash),
  ],
)

/** How somebody proved who they are when a session was opened; `sso` is the connection's provider, which answers for its own proofs. */
export const SIGN_IN_METHODS = ['password', 'password-code', 'password-passkey', 'passkey', 'sso'] as const

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    companyId: integer('company_id').notNull(),
    /** Back office or portal, for whoever has both. */
    space: text('space'),
    /** What is not known counts as the weakest. */
    openedWith: text('opened_with', { enum: SIGN_IN_METHODS }).notNull().default('password'),
    /** The only company that the session may ever act in; null where it may act in any company of its person. */
    openedFor: integer('opened_for'),
    /** The connection that vouched for the person. */
    ssoConnectionId: uuid('sso_connection_id'),
    tokenHash: bytes('token_hash').notNull(),
    /** Set on tokens made by a refresh; that of a sign-in ends an hour after `created_at`. */
    tokenExpiresAt: instant('token_expires_at'),
    refreshHash: bytes('refresh_hash').notNull(),
    ip: text('ip').notNull(),
    userAgent: text('user_agent').notNull(),
    createdAt: createdAt(),
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('sessions_token').on(t.tokenHash),
    uniqueIndex('sessions_refresh').on(t.refreshHash),
    index('sessions_user').on(t.userId),
    check('sessions_opened_for', sql`${t.openedFor} is null or ${t.openedFor} = ${t.companyId}`),
    check('sessions_sso_for_one_company', sql`${t.openedWith} <> 'sso' or ${t.openedFor} is not null`),
  ],
)

/** Refresh tokens that were used. One that comes back is answered again for a moment where it was used, and otherwise ends its session. */
export const spentRefreshes = pgTable(
  'spent_refreshes',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** The known device that used it, else the network. */
    origin: text('origin').notNull(),
    userAgent: text('user_agent').notNull(),
    spentAt: instant('spent_at').notNull().defaultNow(),
  },
  (t) => [index('spent_refreshes_session').on(t.sessionId)],
)

export const passwordResets = pgTable('password_resets', {
  tokenHash: bytes('token_hash').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id),
  expiresAt: instant('expires_at').notNull(),
  usedAt: instant('used_at'),
})

/** A link sent to an address: whoever follows it reads the mail that comes there. */
export const emailVerifications = pgTable('email_verifications', {
  tokenHash: bytes('token_hash').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id),
  /** The address it was sent to: it says nothing of one that was chosen since. */
  email: text('email').notNull(),
  expiresAt: instant('expires_at').notNull(),
  usedAt: instant('used_at'),
})

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    codeHash: bytes('code_hash').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
)
