import { sql } from 'drizzle-orm'
import { check, foreignKey, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, day, version } from './columns.ts'
import { files } from './files.ts'
import { ownerColumns } from './owned.ts'
import { participants } from './participants.ts'
import { sellers } from './parties.ts'

/** Somebody's word that a seller may debit an account: the one truth of it, beside which no sheet keeps another. */
export const mandates = pgTable(
  'mandates',
  {
    ...ownerColumns(),
    /** Who owns the money. */
    creditorId: uuid('creditor_id').notNull(),
    participantId: uuid('participant_id').notNull(),
    /** Référence unique du mandat. */
    rum: text('rum').notNull(),
    /** recurrent or oneOff */
    kind: text('kind').notNull().default('recurrent'),
    /** Whose account it is, as its bank writes it. */
    holder: text('holder').notNull(),
    /** Sealed; its end is what lists show, its print what lines of a statement are known by. */
    iban: text('iban').notNull(),
    ibanEnd: text('iban_end').notNull(),
    ibanPrint: text('iban_print').notNull(),
    bic: text('bic').notNull().default(''),
    signedOn: day('signed_on').notNull(),
    /** screen, paper, import */
    method: text('method').notNull(),
    /** Of a signature on screen: the text, its hash, the name typed, when and from where. */
    proof: jsonb('proof'),
    fileId: uuid('file_id'),
    firstDebitOn: day('first_debit_on'),
    lastDebitOn: day('last_debit_on'),
    /** Sealed: the account it was debited from before; the next debit tells the bank of it. */
    formerIban: text('former_iban'),
    /** active, stopped (by a bank), revoked (by its holder), lapsed (36 months without a debit), used (once and for all) */
    status: text('status').notNull().default('active'),
    statusOn: day('status_on').notNull(),
    statusReason: text('status_reason').notNull().default(''),
    /** When its holder was told that it will lapse. */
    lapseToldOn: day('lapse_told_on'),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.creditorId], foreignColumns: [sellers.companyId, sellers.id] }),
    foreignKey({ columns: [t.companyId, t.participantId], foreignColumns: [participants.companyId, participants.id] }),
    foreignKey({ columns: [t.companyId, t.fileId], foreignColumns: [files.companyId, files.id] }),
    uniqueIndex('mandates_rum').on(t.companyId, t.rum),
    // Whoever owes a seller is debited under one mandate at a time.
    uniqueIndex('mandates_active').on(t.companyId, t.creditorId, t.participantId).where(sql`${t.status} = 'active'`),
    index('mandates_participant').on(t.companyId, t.participantId),
    check('mandates_kind', sql`${t.kind} in ('recurrent', 'oneOff')`),
    check('mandates_method', sql`${t.method} in ('screen', 'paper', 'import')`),
    check('mandates_status', sql`${t.status} in ('active', 'stopped', 'revoked', 'lapsed', 'used')`),
    check('mandates_proof', sql`(${t.method} = 'screen') = (${t.proof} is not null)`),
  ],
)
