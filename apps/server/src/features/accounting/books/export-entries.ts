import {
  type ExportField,
  ExportProfile,
  type ExportProfileUpdate,
  type NewExportProfile,
  type SavedProfile,
} from '@voisol/contract/book-settings'
import { formatAmount } from '@voisol/documents/number-and-date-formats'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { and, asc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { bookProfiles } from '../../../db/schema/index.ts'
import { encodeLatin9 } from '../../../files/csv.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { buildDatedFileName } from '../../../http/response-text.ts'
import { getNextMonthStart, loadBook } from './book.ts'
import type { Entity } from './book-entity.ts'
import { type BookEntryDetail, loadEntries } from './book-entries.ts'

const toColumns = (...pairs: [ExportField, string][]) => pairs.map(([field, header]) => ({ field, header }))
const FRENCH_FORMAT = {
  separator: ';',
  header: true,
  decimal: ',',
  dates: 'dd/mm/yyyy',
  encoding: 'utf-8',
  extension: 'csv',
} as const

const buildProfile = (id: string, name: string, own: ExportProfile): SavedProfile => ({
  id,
  name,
  builtIn: true,
  profile: own,
  version: 1,
})

/** The publicly known import formats of common accounting programs; a company can save other profiles. */
const BUILT_IN_PROFILES: SavedProfile[] = [
  buildProfile('generic', 'Tableau générique (CSV)', {
    ...FRENCH_FORMAT,
    columns: toColumns(
      ['journalCode', 'Journal'],
      ['number', 'Numéro'],
      ['day', 'Date'],
      ['account', 'Compte'],
      ['accountLabel', 'Libellé du compte'],
      ['aux', 'Auxiliaire'],
      ['auxLabel', 'Tiers'],
      ['pieceRef', 'Pièce'],
      ['pieceDay', 'Date de la pièce'],
      ['label', 'Libellé'],
      ['debit', 'Débit'],
      ['credit', 'Crédit'],
      ['letter', 'Lettrage'],
    ),
  }),
  buildProfile('sage', 'Sage', {
    ...FRENCH_FORMAT,
    header: false,
    dates: 'ddmmyy',
    encoding: 'iso-8859-15',
    extension: 'txt',
    columns: toColumns(
      ['journalCode', 'Code journal'],
      ['day', 'Date'],
      ['account', 'Compte général'],
      ['aux', 'Compte tiers'],
      ['pieceRef', 'Pièce'],
      ['label', 'Libellé'],
      ['debit', 'Débit'],
      ['credit', 'Crédit'],
    ),
  }),
  buildProfile('ebp', 'EBP', {
    ...FRENCH_FORMAT,
    header: false,
    separator: ',',
    decimal: '.',
    dates: 'ddmmyy',
    encoding: 'iso-8859-15',
    extension: 'txt',
    columns: toColumns(
      ['number', 'Mouvement'],
      ['day', 'Date'],
      ['journalCode', 'Journal'],
      ['accountOrAux', 'Compte'],
      ['blank', 'Libellé automatique'],
      ['label', 'Libellé manuel'],
      ['pieceRef', 'Pièce'],
      ['amount', 'Montant'],
      ['side', 'Sens'],
      ['pieceDay', 'Échéance'],
      ['currency', 'Devise'],
    ),
  }),
  buildProfile('cegid', 'Cegid, Quadra', {
    ...FRENCH_FORMAT,
    header: false,
    encoding: 'iso-8859-15',
    extension: 'txt',
    columns: toColumns(
      ['day', 'Date'],
      ['journalCode', 'Journal'],
      ['account', 'Compte général'],
      ['aux', 'Compte auxiliaire'],
      ['side', 'Sens'],
      ['amount', 'Montant'],
      ['label', 'Libellé'],
      ['pieceRef', 'Référence'],
    ),
  }),
  buildProfile('pennylane', 'Pennylane', {
    ...FRENCH_FORMAT,
    columns: toColumns(
      ['day', 'Date'],
      ['journalCode', 'Code journal'],
      ['accountOrAux', 'Numéro de compte'],
      ['accountLabel', 'Libellé de compte'],
      ['pieceRef', 'Numéro de pièce'],
      ['label', 'Libellé'],
      ['debit', 'Débit'],
      ['credit', 'Crédit'],
    ),
  }),
]

type Row = typeof bookProfiles.$inferSelect
const toSavedProfile = ({ id, name, profile, version }: Row): SavedProfile => ({
  id,
  name,
  builtIn: false,
  profile: ExportProfile.parse(profile),
  version,
})

/** The built-in export profiles, then the company's own. */
export async function listExportProfiles(db: Db, companyId: number): Promise<SavedProfile[]> {
  const rows = await db
    .select()
    .from(bookProfiles)
    .where(eq(bookProfiles.companyId, companyId))
    .orderBy(asc(bookProfiles.name))
  return [...BUILT_IN_PROFILES, ...rows.map(toSavedProfile)]
}

async function requireProfile(db: Db, companyId: number, id: string): Promise<SavedProfile> {
  const found = (await listExportProfiles(db, companyId)).find((one) => one.id === id)
  if (!found) throw fieldError('profile', 'Ce format d’export n’existe pas\u00a0: choisissez-en un de la liste.')
  return found
}

const buildNameTakenError = (name: string) =>
  fieldError('name', `Un format s’appelle déjà «\u00a0${name}\u00a0».`, 'conflict')
async function requireFreeName(tx: Db, companyId: number, name: string, exceptId?: string) {
  const twin = (await listExportProfiles(tx, companyId)).find((one) => one.name === name && one.id !== exceptId)
  if (twin) throw buildNameTakenError(name)
}

export async function addExportProfile(
  tx: Db,
  companyId: number,
  { name, profile }: z.output<typeof NewExportProfile>,
) {
  await requireFreeName(tx, companyId, name)
  const [row] = await tx.insert(bookProfiles).values({ companyId, name, profile }).onConflictDoNothing().returning()
  if (!row) throw buildNameTakenError(name)
  return toSavedProfile(row)
}

const whereProfile = (companyId: number, id: string) =>
  and(eq(bookProfiles.companyId, companyId), eq(bookProfiles.id, id))
async function lockProfile(tx: Db, companyId: number, id: string): Promise<Row> {
  const [row] = await tx.select().from(bookProfiles).where(whereProfile(companyId, id)).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

export async function updateExportProfile(
  tx: Db,
  companyId: number,
  id: string,
  update: z.output<typeof ExportProfileUpdate>,
) {
  const before = await lockProfile(tx, companyId, id)
  requireCurrentVersion(before, update)
  await requireFreeName(tx, companyId, update.name, id)
  const { name, profile, version } = update
  const [row] = await tx
    .update(bookProfiles)
    .set({ name, profile, version: version + 1 })
    .where(whereProfile(companyId, id))
    .returning()
  if (!row) throw new AppError('not-found')
  return { before: toSavedProfile(before), after: toSavedProfile(row) }
}

export async function removeExportProfile(tx: Db, companyId: number, id: string) {
  const before = await lockProfile(tx, companyId, id)
  await tx.delete(bookProfiles).where(whereProfile(companyId, id))
  return before.name
}

type Line = BookEntryDetail['lines'][number]
const DATE_FORMATTERS: Record<ExportProfile['dates'], (day: string) => string> = {
  'dd/mm/yyyy': formatFrenchDay,
  ddmmyy: (day) => `${day.slice(8)}${day.slice(5, 7)}${day.slice(2, 4)}`,
  yyyymmdd: (day) => day.replaceAll('-', ''),
  'yyyy-mm-dd': (day) => day,
}

const FIELD_TEXTS: Record<
  Exclude<ExportField, 'day' | 'pieceDay' | 'debit' | 'credit' | 'amount'>,
  (entry: BookEntryDetail, line: Line) => string
> = {
  journalCode: ({ journalCode }) => journalCode,
  journalLabel: ({ journalLabel }) => journalLabel,
  number: ({ number }) => (number === null ? '' : String(number)),
  account: (_, { account }) => account,
  accountLabel: (_, { accountLabel }) => accountLabel,
  aux: (_, { aux }) => aux,
  auxLabel: (_, { auxLabel }) => auxLabel,
  accountOrAux: (_, { account, aux }) => aux || account,
  pieceRef: ({ pieceRef }) => pieceRef,
  label: ({ label }) => label,
  side: (_, { debit }) => (debit > 0 ? 'D' : 'C'),
  letter: (_, { letter }) => letter,
  currency: () => 'EUR',
  blank: () => '',
}

function formatCell(field: ExportField, entry: BookEntryDetail, line: Line, { dates, decimal }: ExportProfile): string {
  const money = (cents: number) => formatAmount(cents).replace('.', decimal)
  if (field === 'day' || field === 'pieceDay') return DATE_FORMATTERS[dates](entry[field])
  if (field === 'debit' || field === 'credit') return money(line[field])
  if (field === 'amount') return money(line.debit || line.credit)
  return FIELD_TEXTS[field](entry, line)
}

/** Prefixes cells that a spreadsheet would run as a formula, and quotes cells that hold the separator. */
function escapeCell(text: string, { separator }: ExportProfile): string {
  const plain = /^[=+\-@]/.test(text) ? `'${text}` : text
  const safe = plain.replace(/[\r\n\t]+/g, ' ')
  return safe.includes(separator) || safe.includes('"') ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Entries as a table with the columns, date format and decimals of a profile. */
function buildExportText(entries: readonly BookEntryDetail[], profile: ExportProfile): string {
  const { columns, separator, header } = profile
  const line = (cells: string[]) => `${cells.map((cell) => escapeCell(cell, profile)).join(separator)}\r\n`
  const rows = entries.flatMap((entry) =>
    entry.lines.map((row) => line(columns.map(({ field }) => formatCell(field, entry, row, profile)))),
  )
  return `${header ? line(columns.map((column) => column.header)) : ''}${rows.join('')}`
}

type ExportFileInput = { from: string; to: string; profile: string }
export async function buildExportFile(db: Db, entity: Entity, { from, to, profile: id }: ExportFileInput) {
  if (to < from)
    throw fieldError('to', 'Le dernier mois est avant le premier\u00a0: choisissez une période dans l’ordre.')
  const { profile, name } = await requireProfile(db, entity.companyId, id)
  const book = await loadBook(db, entity)
  const entries = await loadEntries(db, book, { from: `${from}-01`, to: getNextMonthStart(`${to}-01`) })
  const text = buildExportText(entries, profile)
  const { encoding, extension } = profile
  const mark = encoding === 'utf-8' && extension === 'csv' ? '\uFEFF' : ''
  return {
    name: buildDatedFileName(`écritures ${entity.name} ${name} ${from} ${to}`, extension),
    type: `${extension === 'csv' ? 'text/csv' : 'text/plain'}; charset=${encoding}`,
    content: encoding === 'utf-8' ? Buffer.from(`${mark}${text}`) : encodeLatin9(text),
  }
}
