import { signOf } from '@voisol/money/document'
import type { Db } from '../../../db/client.ts'
import type { Cell } from '../../../files/csv.ts'
import { tableFile } from '../../../files/table-file.ts'
import { frenchDay } from '../../../french.ts'
import { decimal, percent } from '../../../papers/decimals.ts'
import { documentFacts, type SoldFact } from './document-facts.ts'
import { type Entity, partiesOf } from './entity.ts'
import { settingsOf } from './settings.ts'
import { exerciseEnding, within } from './year.ts'

const euros = (cents: number): Cell => Number(decimal(cents, 2))
const netOf = ({ lines, kind, allowances }: SoldFact, wanted: 'energy' | 'fee' | 'accise') => {
  const net = lines.filter((line) => line.kind === wanted).reduce((sum, line) => sum + line.net, 0)
  const allowed = wanted === 'energy' ? allowances.reduce((sum, { amount }) => sum + amount, 0) : 0
  return signOf(kind) * (net - allowed)
}

/** The journal of sales of a year: a row for each document, a column for each rate of VAT. */
export async function salesFile(db: Db, entity: Entity, year: number, format: 'csv' | 'xlsx') {
  const { yearStart } = await settingsOf(db, entity)
  const span = exerciseEnding(year, yearStart)
  const facts = (await documentFacts(db, entity, await partiesOf(db, entity.companyId), 'all')).filter(({ issued }) =>
    within(span, issued),
  )
  const rates = [
    ...new Set(facts.flatMap(({ vat }) => vat.filter(({ tax }) => tax !== 0).map(({ rate }) => rate))),
  ].sort((a, b) => a - b)
  const taxOf = ({ vat, kind }: SoldFact, rate: number) =>
    signOf(kind) * vat.filter((group) => group.rate === rate).reduce((sum, { tax }) => sum + tax, 0)
  const header = ['Date', 'Numéro', 'Client', 'Compte', 'Énergie HT (€)', 'Prestations HT (€)', 'Accise (€)']
  const rows = facts.map((fact): Cell[] => [
    frenchDay(fact.issued),
    fact.number,
    fact.buyer.name,
    fact.buyer.code,
    euros(netOf(fact, 'energy')),
    euros(netOf(fact, 'fee')),
    euros(netOf(fact, 'accise')),
    ...rates.map((rate) => euros(taxOf(fact, rate))),
    euros(signOf(fact.kind) * fact.totals.gross),
  ])
  const taxes = rates.map((rate) => `TVA ${percent(rate)} (€)`)
  return tableFile(`journal des ventes ${year} ${entity.name}`, format, [...header, ...taxes, 'TTC (€)'], rows)
}
