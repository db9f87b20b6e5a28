import type { SupportHours } from '@voisol/contract/support-agents'
import type {
  SupportTeam,
  TicketCategory,
  TicketPriority,
  TicketState,
  TicketSubjectKind,
} from '@voisol/contract/support-labels'
import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, day, instant, version } from './columns.ts'
import { companies } from './companies.ts'
import { files } from './files.ts'
import { ownerColumns } from './owned.ts'
import { users } from './users.ts'

/** A question and how it stands. It is the asker's company's, also where the keeper of the installation answers it. */
export const tickets = pgTable(
  'tickets',
  {
    ...ownerColumns(),
    number: integer('number').notNull(),
    desk: text('desk').$type<SupportTeam>().notNull(),
    askerId: uuid('asker_id')
      .notNull()
      .references(() => users.id),
    subject: text('subject').notNull(),
    category: text('category').$type<TicketCategory>().notNull(),
    priority: text('priority').$type<TicketPriority>().notNull().default('normal'),
    state: text('state').$type<TicketState>().notNull().default('new'),
    aboutKind: text('about_kind').$type<TicketSubjectKind>(),
    aboutId: uuid('about_id'),
    aboutDay: day('about_day'),
    aboutLabel: text('about_label').notNull().default(''),
    /** Somebody of the company that answers. */
    assigneeId: uuid('assignee_id').references(() => users.id),
    /** Working minutes that were promised when it was opened, or when its priority last changed. */
    firstMinutes: integer('first_minutes').notNull(),
    solveMinutes: integer('solve_minutes').notNull(),
    firstDueAt: instant('first_due_at').notNull(),
    firstAnswerAt: instant('first_answer_at'),
    /** Working minutes that ran already; those since `running_since` are not among them. */
    spentMinutes: integer('spent_minutes').notNull().default(0),
    /** Null while the asker is waited for, and once it is solved. */
    runningSince: instant('running_since'),
    solveDueAt: instant('solve_due_at'),
    solvedAt: instant('solved_at'),
    /** The ticket of the same asker that holds its messages now. */
    mergedInto: uuid('merged_into'),
    score: integer('score'),
    scoreWord: text('score_word').notNull().default(''),
    scoredAt: instant('scored_at'),
    lastMessageAt: instant('last_message_at').notNull().defaultNow(),
    lastSide: text('last_side').$type<'asker' | 'desk'>().notNull().default('asker'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('tickets_number').on(t.companyId, t.number),
    index('tickets_asker').on(t.companyId, t.askerId, t.lastMessageAt),
    index('tickets_queue').on(t.companyId, t.desk, t.state, t.lastMessageAt),
    index('tickets_keeper').on(t.state, t.lastMessageAt).where(sql`${t.desk} = 'keeper'`),
    check('tickets_desk', sql`${t.desk} in ('organiser', 'keeper')`),
    check('tickets_state', sql`${t.state} in ('new', 'open', 'waiting', 'solved', 'closed')`),
    check('tickets_score', sql`${t.score} between 1 and 5`),
  ],
)

/** What was written in a ticket, by either side. */
export const ticketMessages = pgTable(
  'ticket_messages',
  {
    ...ownerColumns(),
    ticketId: uuid('ticket_id').notNull(),
    /** The ticket it was written in, where another holds it now. */
    writtenIn: uuid('written_in'),
    side: text('side').$type<'asker' | 'desk'>().notNull(),
    authorId: uuid('author_id').references(() => users.id),
    author: text('author').notNull(),
    body: text('body').notNull(),
    source: text('source').$type<'web' | 'mail'>().notNull().default('web'),
    /** The sender of a mail that is not the asker's: the desk alone sees it until somebody lets it in. */
    heldFrom: text('held_from'),
    /** A fingerprint of the mail: delivered twice, it is one message. */
    mailKey: text('mail_key'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.ticketId], foreignColumns: [tickets.companyId, tickets.id] }),
    index('ticket_messages_thread').on(t.companyId, t.ticketId, t.createdAt),
    uniqueIndex('ticket_messages_mail').on(t.companyId, t.mailKey),
    check('ticket_messages_side', sql`${t.side} in ('asker', 'desk')`),
  ],
)

/**
 * What the desk notes for itself. Apart from messages, and in the company of whoever wrote it: the asker's company,
 * its copies and its people never hold what the keeper noted.
 */
export const ticketNotes = pgTable(
  'ticket_notes',
  {
    ...ownerColumns(),
    ticketCompanyId: integer('ticket_company_id')
      .notNull()
      .references(() => companies.id),
    ticketId: uuid('ticket_id').notNull(),
    author: text('author').notNull(),
    body: text('body').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    index('ticket_notes_ticket').on(t.companyId, t.ticketCompanyId, t.ticketId),
  ],
)

/** A file that somebody added to a message, or is about to. */
export const ticketFiles = pgTable(
  'ticket_files',
  {
    ...ownerColumns(),
    fileId: uuid('file_id').notNull(),
    messageId: uuid('message_id'),
    addedBy: uuid('added_by').references(() => users.id),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.fileId], foreignColumns: [files.companyId, files.id] }),
    foreignKey({ columns: [t.companyId, t.messageId], foreignColumns: [ticketMessages.companyId, ticketMessages.id] }),
    index('ticket_files_message').on(t.companyId, t.messageId),
    index('ticket_files_unsent').on(t.createdAt).where(sql`${t.messageId} is null`),
  ],
)

/** Answers that are given often, with fields. */
export const cannedReplies = pgTable(
  'canned_replies',
  {
    ...ownerColumns(),
    desk: text('desk').$type<SupportTeam>().notNull(),
    name: text('name').notNull(),
    body: text('body').notNull(),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('canned_replies_name').on(t.companyId, t.desk, t.name),
  ],
)

/** When a desk is open and what it promises; without a row, as `DEFAULT_HOURS` says. */
export const supportHours = pgTable(
  'support_hours',
  {
    companyId: integer('company_id')
      .notNull()
      .references(() => companies.id),
    desk: text('desk').$type<SupportTeam>().notNull(),
    hours: jsonb('hours').$type<SupportHours>().notNull(),
    version: version(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.desk] })],
)
