import { Readable } from 'node:stream'
import {
  checkFec,
  FEC_HEADER,
  type FecEntry,
  type FecIssue,
  formatFecLines,
  getFecFileName,
} from '@voisol/money/accounts/fec'
import type { Lettering } from '@voisol/money/accounts/lettering'
import { addDays } from '@voisol/money/days'
import type { Db } from '../../../db/client.ts'
import { encodeLatin9 } from '../../../files/csv.ts'
import { AppError } from '../../../http/errors.ts'
import { type AccountingPeriod, getAccountingYear, getBookLineKey, loadYearLetters } from './accounting-year.ts'
import { loadOpenFrom } from './book.ts'
import { type Entity, loadBookSettings } from './book-entity.ts'
import { type StoredEntry, streamLockedEntries } from './book-entries.ts'

export type FecEncoding = 'utf-8' | 'iso-8859-15'

function toFecEntry(entry: StoredEntry, letters: ReadonlyMap<string, Lettering>): FecEntry {
  return {
    journal: { code: entry.journalCode, label: entry.journalLabel },
    number: entry.number,
    day: entry.day,
    piece: { ref: entry.pieceRef, day: entry.pieceDay },
    label: entry.label,
    validated: entry.validatedOn,
    rows: entry.lines.map((line, at) => {
      const lettering = letters.get(getBookLineKey(entry.source, at))
      return lettering ? { ...line, lettering } : line
    }),
  }
}

/** Keeps only the checked fields, numbers and sums, so that a whole file does not stay in memory. */
const keepCheckedFields = ({ journal, number, day, rows }: FecEntry): FecEntry => ({
  journal,
  number,
  day,
  piece: { ref: '', day },
  label: '',
  validated: day,
  rows: rows.map(({ account, aux, debit, credit, lettering }) => ({
    account,
    aux,
    debit,
    credit,
    accountLabel: '',
    auxLabel: '',
    ...(lettering && { lettering }),
  })),
})

const describeFecIssue = (issue: FecIssue): string => {
  if (issue.code === 'openLettering') return `le lettrage ${issue.lettering} du compte ${issue.aux} n’est pas soldé`
  const where = `l’écriture ${issue.number} du journal ${issue.journal}`
  if (issue.code === 'unbalanced') return `${where} n’est pas équilibrée`
  return issue.code === 'gap' ? `${where} devrait porter le numéro ${issue.expected}` : `${where} n’est pas à sa date`
}

async function requireValidFec(
  db: Db,
  entity: Entity,
  period: AccountingPeriod,
  letters: ReadonlyMap<string, Lettering>,
): Promise<void> {
  const entries: FecEntry[] = []
  for await (const page of streamLockedEntries(db, entity, period))
    for (const entry of page) entries.push(keepCheckedFields(toFecEntry(entry, letters)))
  if (entries.length === 0)
    throw new AppError('conflict', {
      message:
        'Aucun mois de cet exercice n’est verrouillé\u00a0: le FEC ne contient que des écritures validées. Verrouillez d’abord un mois.',
    })
  const issues = checkFec(entries)
  const [first] = issues
  if (first)
    throw new AppError('conflict', {
      message: `Le FEC ne serait pas recevable\u00a0: ${describeFecIssue(first)}${issues.length > 1 ? `, et ${issues.length - 1} autres défauts` : ''}.`,
    })
}

async function* streamFecLines(
  db: Db,
  entity: Entity,
  period: AccountingPeriod,
  letters: ReadonlyMap<string, Lettering>,
  encoding: FecEncoding,
) {
  const bytes = (text: string) => (encoding === 'utf-8' ? Buffer.from(text) : encodeLatin9(text))
  yield bytes(FEC_HEADER)
  for await (const page of streamLockedEntries(db, entity, period))
    yield bytes(page.map((entry) => formatFecLines(toFecEntry(entry, letters))).join(''))
}

function requireSiren({ siren, name }: Entity) {
  if (!/^\d{9}$/.test(siren))
    throw new AppError('conflict', {
      message: `${name} n’a pas de SIREN, qui nomme le fichier\u00a0: ajoutez-le dans Tarifs et réglages, Vendeurs et mandats.`,
    })
}

/** The FEC of a year's locked entries: it ends with the year or with the last locked month. */
export async function exportFec(db: Db, entity: Entity, year: number, encoding: FecEncoding) {
  requireSiren(entity)
  const { yearStart } = await loadBookSettings(db, entity)
  const period = getAccountingYear(year, yearStart)
  const letters = await loadYearLetters(db, entity, period)
  await requireValidFec(db, entity, period, letters)
  const open = await loadOpenFrom(db, entity)
  const end = addDays(open !== null && open < period.to ? open : period.to, -1)
  return {
    name: getFecFileName(entity.siren, end),
    type: `text/plain; charset=${encoding}`,
    content: Readable.from(streamFecLines(db, entity, period, letters, encoding)),
  }
}
