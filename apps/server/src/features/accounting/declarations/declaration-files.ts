import type { AcciseRow, DeclarationKind, NewDeclaration, ReportRow, VatRow } from '@voisol/contract/declarations'
import { buildEReportingXml } from '@voisol/documents/e-reporting-xml'
import { formatBasisPoints, formatDecimal } from '@voisol/documents/number-and-date-formats'
import { buildParticipantYearPdf, buildProducerYearPdf } from '@voisol/documents/yearly-statement-pdf'
import { formatFrenchDay, formatFrenchMonth } from '@voisol/file-formats/french'
import { getSupplyMonthEnd } from '@voisol/money/accounts/build-entries'
import { buildEReportingRows, summarizeAccise, summarizeVat } from '@voisol/money/accounts/tax-summaries'
import type { BillingDocument, IssuedKind } from '@voisol/money/document'
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { loadBrand } from '../../../core/brand.ts'
import type { Db } from '../../../db/client.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { loadAnnualSummary } from '../../billing/invoices/index.ts'
import { loadStatementYear } from '../../payments/statements/index.ts'
import {
  type AccountingPeriod,
  type Entity,
  exportFec,
  getAccountingYear,
  loadBookSettings,
  loadDocumentFacts,
  loadEntity,
  loadParties,
  type SoldFact,
} from '../books/index.ts'

const buildYearFilter = (year: number) => (day: string) => day.startsWith(`${year}-`)
const toMonthStart = (day: string) => `${day.slice(0, 7)}-01`

async function loadSoldFacts(db: Db, entity: Entity): Promise<SoldFact[]> {
  return loadDocumentFacts(db, entity, await loadParties(db, entity.companyId), 'all')
}

function groupVatByMonth(documents: readonly SoldFact[], monthOf: (document: SoldFact) => string): VatRow[] {
  return [...Map.groupBy(documents, monthOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([month, own]) => summarizeVat(own).map((group) => ({ month, ...group })))
}

/** VAT sums of the documents, by month of issue as in the accounts, and by month of supply. */
export async function loadVatSummary(db: Db, entity: Entity, year: number) {
  const documents = await loadSoldFacts(db, entity)
  const issue = groupVatByMonth(
    documents.filter(({ issued }) => buildYearFilter(year)(issued)),
    ({ issued }) => toMonthStart(issued),
  )
  const supply = groupVatByMonth(
    documents.filter(({ to }) => buildYearFilter(year)(getSupplyMonthEnd(to))),
    ({ to }) => toMonthStart(getSupplyMonthEnd(to)),
  )
  return { issue, supply, tax: issue.reduce((sum, { tax }) => sum + tax, 0) }
}

type DocumentLines = { kind: IssuedKind; to: string; lines: BillingDocument['lines'] }
/** Energy by month of supply and class, with zero-rated energy apart. */
export async function loadAcciseSummary(db: Db, { companyId, id }: Entity, year: number) {
  const { rows } = await db.execute<DocumentLines>(sql`
    select kind, to_day::text as "to", snapshot -> 'lines' as lines from invoices
     where company_id = ${companyId} and seller_id = ${id} and kind <> 'statement' and client_seller_id is null`)
  const own = rows.filter(({ to }) => buildYearFilter(year)(getSupplyMonthEnd(to)))
  const items: AcciseRow[] = [...Map.groupBy(own, ({ to }) => toMonthStart(getSupplyMonthEnd(to)))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([month, documents]) => summarizeAccise(documents).map((row) => ({ month, ...row })))
  const sum = (of: (row: AcciseRow) => number) => items.reduce((total, row) => total + of(row), 0)
  return { items, wh: sum(({ wh }) => wh), cents: sum(({ cents }) => cents) }
}

/** Sales to individuals by day of issue, category and rate. */
export async function loadEReportingRows(db: Db, entity: Entity, year: number, month?: number): Promise<ReportRow[]> {
  const datePrefix = month === undefined ? `${year}-` : `${year}-${String(month).padStart(2, '0')}-`
  const documents = (await loadSoldFacts(db, entity)).filter(({ issued }) => issued.startsWith(datePrefix))
  const rows = buildEReportingRows(
    documents.map(({ kind, issued, person, services, vat }) => ({
      seller: entity.id,
      buyerKind: person ? 'person' : 'organisation',
      kind,
      issued,
      services,
      vat,
    })),
  )
  return rows.map(({ seller: _, ...row }) => row)
}

export type MakeDeclarationInput = z.output<typeof NewDeclaration>
/** A file as stored: its name, and the period it covers. */
export type DeclarationFile = {
  name: string
  mediaType: string
  content: Uint8Array
  whose: string
  span: AccountingPeriod
}

const toEuroNumber = (value: number) => Number(formatDecimal(value, 2))
const getCalendarYear = (year: number): AccountingPeriod => ({ from: `${year}-01-01`, to: `${year + 1}-01-01` })
const toFileNamePart = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()

async function buildCsvFile(name: string, header: string[], rows: (string | number)[][]) {
  const { content } = await buildTableFile(name, 'csv', header, rows)
  return { name: `${name}.csv`, mediaType: 'text/csv', content: Buffer.from(String(content)) }
}

const VAT_CATEGORY_LABELS = { S: 'Soumis', E: 'Exonéré', O: 'Hors champ' }
async function buildVatFile(db: Db, entity: Entity, { year }: MakeDeclarationInput) {
  const { issue, supply } = await loadVatSummary(db, entity, year)
  const rows = (by: string, list: typeof issue) =>
    list.map((row) => [
      by,
      formatFrenchMonth(row.month),
      VAT_CATEGORY_LABELS[row.category],
      formatBasisPoints(row.rate),
      toEuroNumber(row.base),
      toEuroNumber(row.tax),
    ])
  return buildCsvFile(
    `tva-${year}-${toFileNamePart(entity.name)}`,
    ['Par', 'Mois', 'Régime', 'Taux', 'Base HT (€)', 'TVA (€)'],
    [...rows('mois d’émission', issue), ...rows('mois de fourniture', supply)],
  )
}

async function buildAcciseFile(db: Db, entity: Entity, { year }: MakeDeclarationInput) {
  const { items } = await loadAcciseSummary(db, entity, year)
  const header = ['Mois de fourniture', 'Catégorie', 'Tarif (€/MWh)', 'Énergie (kWh)', 'Accise (€)']
  const rows = items.map((row) => [
    formatFrenchMonth(row.month),
    row.acciseClass ?? 'Tarif nul',
    row.centsPerMwh === null ? 0 : toEuroNumber(row.centsPerMwh),
    Number(formatDecimal(row.wh, 3)),
    toEuroNumber(row.cents),
  ])
  return buildCsvFile(`accise-${year}-${toFileNamePart(entity.name)}`, header, rows)
}

async function buildEReportingFile(db: Db, entity: Entity, { year, month, format }: MakeDeclarationInput) {
  const rows = await loadEReportingRows(db, entity, year, month)
  const name = `e-reporting-${year}${month ? `-${String(month).padStart(2, '0')}` : ''}-${toFileNamePart(entity.name)}`
  if (format === 'xml')
    return { name: `${name}.xml`, mediaType: 'application/xml', content: Buffer.from(buildEReportingXml(entity, rows)) }
  const header = ['SIREN', 'Jour d’émission', 'Catégorie', 'Taux', 'Base HT (€)', 'TVA (€)', 'Documents']
  const cells = rows.map((row) => [
    entity.siren,
    formatFrenchDay(row.day),
    row.code,
    formatBasisPoints(row.rate),
    toEuroNumber(row.base),
    toEuroNumber(row.tax),
    row.documents,
  ])
  return buildCsvFile(name, header, cells)
}

async function buildFecFile(db: Db, entity: Entity, { year }: MakeDeclarationInput) {
  const { name, content } = await exportFec(db, entity, year, 'utf-8')
  return { name, mediaType: 'text/plain', content: Buffer.concat(await Array.fromAsync(content)) }
}

async function resolvePeriod(
  db: Db,
  entity: Entity,
  { kind, year, month }: MakeDeclarationInput,
): Promise<AccountingPeriod> {
  if (kind === 'fec') return getAccountingYear(year, (await loadBookSettings(db, entity)).yearStart)
  if (kind !== 'eReporting' || month === undefined) return getCalendarYear(year)
  const from = Temporal.PlainDate.from({ year, month, day: 1 })
  return { from: from.toString(), to: from.add({ months: 1 }).toString() }
}

const SELLER_FILE_BUILDERS: Record<
  Exclude<DeclarationKind, 'participantYear' | 'producerYear'>,
  typeof buildVatFile
> = {
  vat: buildVatFile,
  accise: buildAcciseFile,
  eReporting: buildEReportingFile,
  fec: buildFecFile,
}

async function buildParticipantYearFile(
  db: Db,
  actor: Actor,
  { of: buyerId, year }: MakeDeclarationInput,
): Promise<DeclarationFile> {
  const annual = await loadAnnualSummary(db, actor, { buyerId, year })
  if (annual.months.length === 0)
    throw fieldError(
      'year',
      `Rien n’a été fourni à ${annual.buyer.name} en ${year}\u00a0: il n’y a pas de relevé à faire.`,
      'conflict',
    )
  const name = `releve-annuel-${year}-${toFileNamePart(annual.buyer.name)}.pdf`
  const content = await buildParticipantYearPdf(annual, await loadBrand(db, actor.companyId))
  return { name, mediaType: 'application/pdf', content, whose: annual.buyer.name, span: getCalendarYear(year) }
}

async function buildProducerYearFile(
  db: Db,
  actor: Actor,
  { of: sellerId, year }: MakeDeclarationInput,
): Promise<DeclarationFile> {
  const annual = await loadStatementYear(db, actor, sellerId, year)
  if (annual.months.every(({ documents }) => documents === 0))
    throw fieldError(
      'year',
      `Rien n’a été vendu au nom de ${annual.seller} en ${year}\u00a0: il n’y a pas de relevé à faire.`,
      'conflict',
    )
  const name = `releve-annuel-${year}-${toFileNamePart(annual.seller)}.pdf`
  const content = await buildProducerYearPdf(annual, year, await loadBrand(db, actor.companyId))
  return { name, mediaType: 'application/pdf', content, whose: annual.seller, span: getCalendarYear(year) }
}

/** The file of a declaration, built only from issued documents: the same documents give the same file. */
export async function buildDeclarationFile(
  db: Db,
  actor: Actor,
  order: MakeDeclarationInput,
): Promise<DeclarationFile> {
  if (order.kind === 'participantYear') return buildParticipantYearFile(db, actor, order)
  if (order.kind === 'producerYear') return buildProducerYearFile(db, actor, order)
  const entity = await loadEntity(db, actor.companyId, order.of)
  const file = await SELLER_FILE_BUILDERS[order.kind](db, entity, order)
  return { ...file, whose: entity.name, span: await resolvePeriod(db, entity, order) }
}
