import { getDocumentSign } from '@voisol/money/document'
import type { Db } from '../../../db/client.ts'
import type { SpreadsheetCell } from '../../../files/csv.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import { formatFrenchDay } from '../../../french.ts'
import { formatBasisPoints, formatDecimal } from '../../../papers/decimals.ts'
import { loadDocumentFacts, type SoldFact } from './document-facts.ts'
import { type Entity, loadParties } from './entity.ts'
import { loadBookSettings } from './settings.ts'
import { getAccountingYear, isInPeriod } from './year.ts'

const toEuroCell = (cents: number): SpreadsheetCell => Number(formatDecimal(cents, 2))
const computeNet = ({ lines, kind, allowances }: SoldFact, lineKind: 'energy' | 'fee' | 'accise') => {
  const net = lines.filter((line) => line.kind === lineKind).reduce((sum, line) => sum + line.net, 0)
  const allowed = lineKind === 'energy' ? allowances.reduce((sum, { amount }) => sum + amount, 0) : 0
  return getDocumentSign(kind) * (net - allowed)
}

/** The sales journal of a year: a row per document, a column per VAT rate. */
export async function buildSalesFile(db: Db, entity: Entity, year: number, format: 'csv' | 'xlsx') {
  const { yearStart } = await loadBookSettings(db, entity)
  const period = getAccountingYear(year, yearStart)
  const facts = (await loadDocumentFacts(db, entity, await loadParties(db, entity.companyId), 'all')).filter(
    ({ issued }) => isInPeriod(period, issued),
  )
  const rates = [
    ...new Set(facts.flatMap(({ vat }) => vat.filter(({ tax }) => tax !== 0).map(({ rate }) => rate))),
  ].sort((a, b) => a - b)
  const computeTax = ({ vat, kind }: SoldFact, rate: number) =>
    getDocumentSign(kind) * vat.filter((group) => group.rate === rate).reduce((sum, { tax }) => sum + tax, 0)
  const header = ['Date', 'Numéro', 'Client', 'Compte', 'Énergie HT (€)', 'Prestations HT (€)', 'Accise (€)']
  const rows = facts.map((fact): SpreadsheetCell[] => [
    formatFrenchDay(fact.issued),
    fact.number,
    fact.buyer.name,
    fact.buyer.code,
    toEuroCell(computeNet(fact, 'energy')),
    toEuroCell(computeNet(fact, 'fee')),
    toEuroCell(computeNet(fact, 'accise')),
    ...rates.map((rate) => toEuroCell(computeTax(fact, rate))),
    toEuroCell(getDocumentSign(fact.kind) * fact.totals.gross),
  ])
  const taxes = rates.map((rate) => `TVA ${formatBasisPoints(rate)} (€)`)
  return buildTableFile(`journal des ventes ${year} ${entity.name}`, format, [...header, ...taxes, 'TTC (€)'], rows)
}
