import type { MessageAudience, MessageState, RecipientState } from '@voisol/contract/messages'
import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, version } from './columns.ts'
import { operations } from './operations.ts'
import { ownerColumns } from './owned.ts'
import { participants } from './participants.ts'
import { users } from './users.ts'

/** What the organiser writes to participants. */
export const messages = pgTable(
  'messages',
  {
    ...ownerColumns(),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    audience: text('audience').$type<MessageAudience>().notNull(),
    operationId: uuid('operation_id'),
    tag: text('tag'),
    participantId: uuid('participant_id'),
    state: text('state').$type<MessageState>().notNull().default('scheduled'),
    authorId: uuid('author_id')
      .notNull()
      .references(() => users.id),
    author: text('author').notNull(),
    sendAt: instant('send_at').notNull(),
    sentAt: instant('sent_at'),
    /** Why it did not leave. */
    fault: text('fault').notNull().default(''),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
    foreignKey({
      columns: [t.companyId, t.participantId],
      foreignColumns: [participants.companyId, participants.id],
    }).onDelete('cascade'),
    index('messages_recent').on(t.companyId, t.sendAt),
    check('messages_audience', sql`${t.audience} in ('operation', 'group', 'person')`),
    check('messages_state', sql`${t.state} in ('scheduled', 'sent', 'cancelled', 'failed')`),
  ],
)

/** Each with the words as they were filled for them. */
export const messageRecipients = pgTable(
  'message_recipients',
  {
    companyId: integer('company_id').notNull(),
    messageId: uuid('message_id').notNull(),
    participantId: uuid('participant_id').notNull(),
    /** The account that read the portal in their name when it left; nobody's where there was none. */
    userId: uuid('user_id').references(() => users.id),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    email: text('email').notNull().default(''),
    state: text('state').$type<RecipientState>().notNull(),
    openedAt: instant('opened_at'),
    remindedAt: instant('reminded_at'),
    /** What they answered. */
    ticketId: uuid('ticket_id'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.messageId, t.participantId] }),
    foreignKey({ columns: [t.companyId, t.messageId], foreignColumns: [messages.companyId, messages.id] }),
    foreignKey({
      columns: [t.companyId, t.participantId],
      foreignColumns: [participants.companyId, participants.id],
    }).onDelete('cascade'),
    index('message_recipients_reader').on(t.companyId, t.userId, t.createdAt),
  ],
)

/** Texts that are written often, with fields. */
export const messageTemplates = pgTable(
  'message_templates',
  {
    ...ownerColumns(),
    name: text('name').notNull(),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), uniqueIndex('message_templates_name').on(t.companyId, t.name)],
)
