import type { DeclarationKind, NewDeclaration } from '@voisol/contract/declarations'
import type { z } from 'zod'
import { brandOf } from '../../../core/brand.ts'
import type { Db } from '../../../db/client.ts'
import { tableFile } from '../../../files/table-file.ts'
import { frenchDay, frenchMonth } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { decimal, percent } from '../../../papers/decimals.ts'
import { reportXml } from '../../../papers/report-xml.ts'
import { participantYearPdf, producerYearPdf } from '../../../papers/year-pdf.ts'
import { type Entity, exerciseEnding, fecOf, findEntity, type Span, settingsOf } from '../books/books.ts'
import { annualOf } from '../invoices/invoices.ts'
import { yearOf } from '../statements/statements.ts'
import { acciseOf, reportOf, vatOf } from './summaries.ts'

export type Order = z.output<typeof NewDeclaration>
/** A file as it is kept: its own name, and the days it is about. */
export type Made = { name: string; mediaType: string; content: Uint8Array; whose: string; span: Span }

const cents = (value: number) => Number(decimal(value, 2))
const calendar = (year: number): Span => ({ from: `${year}-01-01`, to: `${year + 1}-01-01` })
const plainName = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()

async function csvOf(name: string, header: string[], rows: (string | number)[][]) {
  const { content } = await tableFile(name, 'csv', header, rows)
  return { name: `${name}.csv`, mediaType: 'text/csv', content: Buffer.from(String(content)) }
}

const CATEGORIES = { S: 'Soumis', E: 'Exonéré', O: 'Hors champ' }
async function vatFile(db: Db, entity: Entity, { year }: Order) {
  const { issue, supply } = await vatOf(db, entity, year)
  const rows = (by: string, list: typeof issue) =>
    list.map((row) => [
      by,
      frenchMonth(row.month),
      CATEGORIES[row.category],
      percent(row.rate),
      cents(row.base),
      cents(row.tax),
    ])
  return csvOf(
    `tva-${year}-${plainName(entity.name)}`,
    ['Par', 'Mois', 'Régime', 'Taux', 'Base HT (€)', 'TVA (€)'],
    [...rows('mois d’émission', issue), ...rows('mois de fourniture', supply)],
  )
}

async function acciseFile(db: Db, entity: Entity, { year }: Order) {
  const { items } = await acciseOf(db, entity, year)
  const header = ['Mois de fourniture', 'Catégorie', 'Tarif (€/MWh)', 'Énergie (kWh)', 'Accise (€)']
  const rows = items.map((row) => [
    frenchMonth(row.month),
    row.acciseClass ?? 'Tarif nul',
    row.centsPerMwh === null ? 0 : cents(row.centsPerMwh),
    Number(decimal(row.wh, 3)),
    cents(row.cents),
  ])
  return csvOf(`accise-${year}-${plainName(entity.name)}`, header, rows)
}

async function reportFile(db: Db, entity: Entity, { year, month, format }: Order) {
  const rows = await reportOf(db, entity, year, month)
  const name = `e-reporting-${year}${month ? `-${String(month).padStart(2, '0')}` : ''}-${plainName(entity.name)}`
  if (format === 'xml')
    return { name: `${name}.xml`, mediaType: 'application/xml', content: Buffer.from(reportXml(entity, rows)) }
  const header = ['SIREN', 'Jour d’émission', 'Catégorie', 'Taux', 'Base HT (€)', 'TVA (€)', 'Documents']
  const cells = rows.map((row) => [
    entity.siren,
    frenchDay(row.day),
    row.code,
    percent(row.rate),
    cents(row.base),
    cents(row.tax),
    row.documents,
  ])
  return csvOf(name, header, cells)
}

async function fecFile(db: Db, entity: Entity, { year }: Order) {
  const { name, content } = await fecOf(db, entity, year, 'utf-8')
  return { name, mediaType: 'text/plain', content: Buffer.concat(await Array.fromAsync(content)) }
}

async function spanOf(db: Db, entity: Entity, { kind, year, month }: Order): Promise<Span> {
  if (kind === 'fec') return exerciseEnding(year, (await settingsOf(db, entity)).yearStart)
  if (kind !== 'eReporting' || month === undefined) return calendar(year)
  const from = Temporal.PlainDate.from({ year, month, day: 1 })
  return { from: from.toString(), to: from.add({ months: 1 }).toString() }
}

const OF_SELLER: Record<Exclude<DeclarationKind, 'participantYear' | 'producerYear'>, typeof vatFile> = {
  vat: vatFile,
  accise: acciseFile,
  eReporting: reportFile,
  fec: fecFile,
}

async function participantFile(db: Db, actor: Actor, { of: buyerId, year }: Order): Promise<Made> {
  const annual = await annualOf(db, actor, { buyerId, year })
  if (annual.months.length === 0)
    throw fieldError(
      'year',
      `Rien n’a été fourni à ${annual.buyer.name} en ${year}\u00a0: il n’y a pas de relevé à faire.`,
      'conflict',
    )
  const name = `releve-annuel-${year}-${plainName(annual.buyer.name)}.pdf`
  const content = await participantYearPdf(annual, await brandOf(db, actor.companyId))
  return { name, mediaType: 'application/pdf', content, whose: annual.buyer.name, span: calendar(year) }
}

async function producerFile(db: Db, actor: Actor, { of: sellerId, year }: Order): Promise<Made> {
  const annual = await yearOf(db, actor, sellerId, year)
  if (annual.months.every(({ documents }) => documents === 0))
    throw fieldError(
      'year',
      `Rien n’a été vendu au nom de ${annual.seller} en ${year}\u00a0: il n’y a pas de relevé à faire.`,
      'conflict',
    )
  const name = `releve-annuel-${year}-${plainName(annual.seller)}.pdf`
  const content = await producerYearPdf(annual, year, await brandOf(db, actor.companyId))
  return { name, mediaType: 'application/pdf', content, whose: annual.seller, span: calendar(year) }
}

/** The file of a declaration, made of what is issued and of nothing else: made again of the same, it is the same. */
export async function draw(db: Db, actor: Actor, order: Order): Promise<Made> {
  if (order.kind === 'participantYear') return participantFile(db, actor, order)
  if (order.kind === 'producerYear') return producerFile(db, actor, order)
  const entity = await findEntity(db, actor.companyId, order.of)
  const file = await OF_SELLER[order.kind](db, entity, order)
  return { ...file, whose: entity.name, span: await spanOf(db, entity, order) }
}
