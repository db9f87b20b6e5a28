import { Readable } from 'node:stream'
import {
  checkFec,
  FEC_HEAD,
  type FecEntry,
  type FecIssue,
  fecFileName,
  fecLines,
} from '@voisol/money/accounts/fec-file'
import type { Letter } from '@voisol/money/accounts/lettering'
import { addDays } from '@voisol/money/days'
import type { Db } from '../../../db/client.ts'
import { latin9 } from '../../../files/latin9.ts'
import { AppError } from '../../../http/errors.ts'
import { openFromOf } from './book.ts'
import type { Entity } from './entity.ts'
import { settingsOf } from './settings.ts'
import { type StoredEntry, storedPages } from './stored.ts'
import { exerciseEnding, lineKey, type Span, yearLetters } from './year.ts'

export type Encoding = 'utf-8' | 'iso-8859-15'

function fecEntry(entry: StoredEntry, letters: ReadonlyMap<string, Letter>): FecEntry {
  return {
    journal: { code: entry.journalCode, label: entry.journalLabel },
    number: entry.number,
    day: entry.day,
    piece: { ref: entry.pieceRef, day: entry.pieceDay },
    label: entry.label,
    validated: entry.validatedOn,
    rows: entry.lines.map((line, at) => {
      const lettering = letters.get(lineKey(entry.source, at))
      return lettering ? { ...line, lettering } : line
    }),
  }
}

/** Of a whole file, only what is checked stays in memory: numbers and sums. */
const slim = ({ journal, number, day, rows }: FecEntry): FecEntry => ({
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

const wordsOf = (issue: FecIssue): string => {
  if (issue.code === 'openLettering') return `le lettrage ${issue.lettering} du compte ${issue.aux} n’est pas soldé`
  const where = `l’écriture ${issue.number} du journal ${issue.journal}`
  if (issue.code === 'unbalanced') return `${where} n’est pas équilibrée`
  return issue.code === 'gap' ? `${where} devrait porter le numéro ${issue.expected}` : `${where} n’est pas à sa date`
}

async function check(db: Db, entity: Entity, span: Span, letters: ReadonlyMap<string, Letter>): Promise<void> {
  const entries: FecEntry[] = []
  for await (const page of storedPages(db, entity, span))
    for (const entry of page) entries.push(slim(fecEntry(entry, letters)))
  if (entries.length === 0)
    throw new AppError('conflict', {
      message:
        'Aucun mois de cet exercice n’est verrouillé\u00a0: le FEC ne contient que des écritures validées. Verrouillez d’abord un mois.',
    })
  const issues = checkFec(entries)
  const [first] = issues
  if (first)
    throw new AppError('conflict', {
      message: `Le FEC ne serait pas recevable\u00a0: ${wordsOf(first)}${issues.length > 1 ? `, et ${issues.length - 1} autres défauts` : ''}.`,
    })
}

async function* written(db: Db, entity: Entity, span: Span, letters: ReadonlyMap<string, Letter>, encoding: Encoding) {
  const bytes = (text: string) => (encoding === 'utf-8' ? Buffer.from(text) : latin9(text))
  yield bytes(FEC_HEAD)
  for await (const page of storedPages(db, entity, span))
    yield bytes(page.map((entry) => fecLines(fecEntry(entry, letters))).join(''))
}

function requireSiren({ siren, name }: Entity) {
  if (!/^\d{9}$/.test(siren))
    throw new AppError('conflict', {
      message: `${name} n’a pas de SIREN, qui nomme le fichier\u00a0: ajoutez-le dans Tarifs et réglages, Vendeurs et mandats.`,
    })
}

/** The file of a year's locked entries: it ends with the year, or with the last month that is locked. */
export async function fecOf(db: Db, entity: Entity, year: number, encoding: Encoding) {
  requireSiren(entity)
  const { yearStart } = await settingsOf(db, entity)
  const span = exerciseEnding(year, yearStart)
  const letters = await yearLetters(db, entity, span)
  await check(db, entity, span, letters)
  const open = await openFromOf(db, entity)
  const end = addDays(open !== null && open < span.to ? open : span.to, -1)
  return {
    name: fecFileName(entity.siren, end),
    type: `text/plain; charset=${encoding}`,
    content: Readable.from(written(db, entity, span, letters, encoding)),
  }
}
