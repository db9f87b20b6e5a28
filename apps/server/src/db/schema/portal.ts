import type { PortalBlock } from '@voisol/contract/portal-management'
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, instant, version } from './columns.ts'
import { companies } from './companies.ts'
import { ownerColumns } from './owned.ts'
import { participants } from './participants.ts'
import { users } from './users.ts'

/** What a company shows its participants; without a row, everything in the order of the product. */
export const portalSettings = pgTable(
  'portal_settings',
  {
    companyId: integer('company_id')
      .notNull()
      .references(() => companies.id),
    /** In their order. */
    blocks: jsonb('blocks').$type<PortalBlock[]>().notNull(),
    comparison: boolean('comparison').notNull().default(true),
    welcome: text('welcome').notNull().default(''),
    version: version(),
  },
  (t) => [primaryKey({ columns: [t.companyId] })],
)

/** Somebody of the back office sees the portal as a participant does: from this session alone, for a while, and never to change anything. */
export const portalViews = pgTable(
  'portal_views',
  {
    ...ownerColumns(),
    participantId: uuid('participant_id').notNull(),
    viewerId: uuid('viewer_id')
      .notNull()
      .references(() => users.id),
    /** Looked for with the session that calls: of one that is over nothing is found. Sessions are not where a company's rows are. */
    sessionId: uuid('session_id').notNull(),
    expiresAt: instant('expires_at').notNull(),
    endedAt: instant('ended_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.participantId],
      foreignColumns: [participants.companyId, participants.id],
    }).onDelete('cascade'),
  ],
)

/** Further accounts that read the portal in a participant's name: those of a home, each with their own. */
export const portalHolders = pgTable(
  'portal_holders',
  {
    companyId: integer('company_id')
      .notNull()
      .references(() => companies.id),
    participantId: uuid('participant_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.participantId, t.userId] }),
    foreignKey({
      columns: [t.companyId, t.participantId],
      foreignColumns: [participants.companyId, participants.id],
    }).onDelete('cascade'),
    index('portal_holders_user').on(t.companyId, t.userId),
  ],
)

/** A letter to somebody without an e-mail address: its code opens the portal once. The code itself is on the paper alone. */
export const portalLetters = pgTable(
  'portal_letters',
  {
    ...ownerColumns(),
    participantId: uuid('participant_id').notNull(),
    codeHash: bytes('code_hash').notNull(),
    /** In whose name the invitation that follows leaves. */
    madeBy: uuid('made_by')
      .notNull()
      .references(() => users.id),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    /** A newer letter took its place. */
    replacedAt: instant('replaced_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.participantId],
      foreignColumns: [participants.companyId, participants.id],
    }).onDelete('cascade'),
    // Whoever types a code has not said of which company.
    index('portal_letters_code').on(t.codeHash),
    index('portal_letters_participant').on(t.companyId, t.participantId),
  ],
)
