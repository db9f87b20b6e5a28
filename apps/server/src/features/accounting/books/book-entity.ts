import type { BookSettings, BookSettingsUpdate } from '@voisol/contract/book-settings'
import type { BookParty } from '@voisol/money/accounts/book-entries'
import {
  ACCOUNT_LABELS,
  type ChartOfAccounts,
  DEFAULT_CHART_OF_ACCOUNTS,
  JOURNALS,
} from '@voisol/money/accounts/chart-of-accounts'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { bookLocks, bookSettings, participants, sellers } from '../../../db/schema/index.ts'
import { AppError, fieldError } from '../../../http/errors.ts'

export type Entity = { companyId: number; id: string; name: string; siren: string }

export async function loadEntity(db: Db, companyId: number, id: string): Promise<Entity> {
  const [row] = await db
    .select({ companyId: sellers.companyId, id: sellers.id, name: sellers.name, siren: sellers.siren })
    .from(sellers)
    .where(and(eq(sellers.companyId, companyId), eq(sellers.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

/** An auxiliary account is identified by its owner's id, since names may change. */
const buildAuxiliaryCode = (letter: 'C' | 'P', id: string) =>
  `${letter}${id.replaceAll('-', '').slice(0, 12).toUpperCase()}`

export type PartyFinder = { customer: (id: string) => BookParty; seller: (id: string) => BookParty }

/** Everybody who may have an account in a company's books, under their current name. */
export async function loadParties(db: Db, companyId: number): Promise<PartyFinder> {
  const people = await db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(eq(participants.companyId, companyId))
  const firms = await db
    .select({ id: sellers.id, name: sellers.name })
    .from(sellers)
    .where(eq(sellers.companyId, companyId))
  const names = new Map([...people, ...firms].map(({ id, name }) => [id, name]))
  const party = (letter: 'C' | 'P') => (id: string) => ({
    code: buildAuxiliaryCode(letter, id),
    name: names.get(id) ?? '',
  })
  return { customer: party('C'), seller: party('P') }
}

/** The entity's settings, with the product's defaults for those not set. */
export async function loadBookSettings(
  db: Db,
  { companyId, id }: Pick<Entity, 'companyId' | 'id'>,
): Promise<BookSettings> {
  const [row] = await db
    .select()
    .from(bookSettings)
    .where(and(eq(bookSettings.companyId, companyId), eq(bookSettings.sellerId, id)))
  return {
    chart: { ...DEFAULT_CHART_OF_ACCOUNTS, ...row?.chart },
    journals: { ...JOURNALS, ...row?.journals },
    yearStart: row?.yearStart ?? 1,
    smallWriteOff: row?.smallWriteOff ?? 500,
    version: row?.version ?? 0,
  }
}

/** Refuses a chart with two uses on one account: they could not be separated again. */
function requireDistinctAccounts(chart: ChartOfAccounts) {
  const names = Object.keys(ACCOUNT_LABELS) as (keyof ChartOfAccounts)[] // keys of a typed literal
  for (const [at, name] of names.entries()) {
    const twin = names.slice(0, at).find((other) => chart[other] === chart[name])
    if (twin)
      throw fieldError(
        `chart.${name}`,
        `Le compte ${chart[name]} sert déjà à «\u00a0${ACCOUNT_LABELS[twin]}\u00a0»\u00a0: choisissez-en un autre.`,
      )
    if (name !== 'vat' && chart[name].startsWith(chart.vat))
      throw fieldError(`chart.${name}`, `Les comptes qui commencent par ${chart.vat} sont ceux de la TVA, un par taux.`)
  }
}

function requireDistinctJournalCodes({ opening, sales, bank, misc }: BookSettings['journals']) {
  if (new Set([opening.code, sales.code, bank.code, misc.code]).size < 4)
    throw fieldError('journals.misc.code', 'Deux journaux ont le même code\u00a0: chacun a le sien.')
}

export async function saveBookSettings(tx: Db, entity: Entity, update: z.output<typeof BookSettingsUpdate>) {
  const before = await loadBookSettings(tx, entity)
  if (before.version !== update.version) throw new AppError('stale')
  requireDistinctAccounts(update.chart)
  requireDistinctJournalCodes(update.journals)
  const { companyId, id: sellerId } = entity
  const [locked] = await tx
    .select({ month: bookLocks.month })
    .from(bookLocks)
    .where(and(eq(bookLocks.companyId, companyId), eq(bookLocks.sellerId, sellerId)))
    .limit(1)
  if (locked && update.yearStart !== before.yearStart)
    throw fieldError(
      'yearStart',
      'Des mois sont verrouillés et numérotés par exercice\u00a0: le début de l’exercice ne change plus.',
      'conflict',
    )
  const values = { ...update, version: update.version + 1 }
  await tx
    .insert(bookSettings)
    .values({ companyId, sellerId, ...values })
    .onConflictDoUpdate({ target: [bookSettings.companyId, bookSettings.sellerId], set: values })
  return { before, after: await loadBookSettings(tx, entity) }
}
