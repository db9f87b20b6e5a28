import { frenchMonth } from '../../../french.ts'
import { kwh } from '../../../papers/decimals.ts'
import { longDay } from '../../../papers/words.ts'
import type { Scene } from './scene.ts'
import { type Filled, figure, nothing, words } from './table-parts.ts'
import { capital, centsOr, kwhOr } from './words.ts'

async function buyers({ assembly }: Scene): Promise<Filled> {
  const { buyers: rows, totals, on } = await assembly()
  if (rows.length === 0) return nothing('Aucune facture n’a été émise pour cette période.')
  return {
    columns: [
      words('Participant', 30),
      figure('Énergie locale', 16),
      figure('Facturé TTC', 14),
      figure('Réglé', 14),
      figure('Reste dû', 13),
      figure('Économie HT', 14),
    ],
    rows: [
      ...rows.map(({ name, wh, billed, settled, open, saved }) => [
        name,
        kwhOr(wh),
        ...[billed, settled, open, saved].map(centsOr),
      ]),
      ['Total', '', ...[totals.billed, totals.settled, totals.open, totals.saved].map(centsOr)],
    ],
    total: true,
    lead: `Facturé pour l’énergie de la période, avoirs déduits\u00a0; réglé et restant dû au ${longDay(on)}. L’économie est hors taxes, face au prix du fournisseur.`,
  }
}

async function sellers({ assembly }: Scene): Promise<Filled> {
  const { producers, earned } = await assembly()
  if (producers.length === 0) return nothing('Aucune vente n’a été facturée pour cette période.')
  return {
    columns: [
      words('Producteur', 30),
      figure('Ventes HT', 15),
      figure('TVA', 12),
      figure('Ventes TTC', 15),
      figure('Frais TTC', 14),
      figure('Reste', 14),
    ],
    rows: [
      ...producers.map(({ name, net, tax, gross, fees, earned: left }) => [
        name,
        ...[net, tax, gross, fees, left].map(centsOr),
      ]),
      ['Total', '', '', '', '', centsOr(earned)],
    ],
    total: true,
    lead: '',
  }
}

async function supplied({ annual }: Scene): Promise<Filled> {
  const found = await annual()
  if (!found?.months.length) return nothing('Aucune facture n’a été émise pour cette année.')
  const { months, totals } = found
  return {
    columns: [
      words('Mois fourni', 20),
      words('Documents', 30),
      figure('Énergie', 17),
      figure('HT', 12),
      figure('TVA', 11),
      figure('TTC', 12),
    ],
    rows: [
      ...months.map(({ month, documents, wh, net, tax, gross }) => [
        capital(frenchMonth(month)),
        documents.map(({ number }) => number).join(', '),
        kwh(wh),
        ...[net, tax, gross].map(centsOr),
      ]),
      ['Total', '', kwh(totals.wh), ...[totals.net, totals.tax, totals.gross].map(centsOr)],
    ],
    total: true,
    lead: 'Par mois fourni, les corrections avec le mois qu’elles corrigent, les avoirs déduits.',
  }
}

async function sales({ sold }: Scene): Promise<Filled> {
  const found = await sold()
  if (!found) return nothing('Aucune vente n’a été facturée cette année.')
  const { months, total } = found
  return {
    columns: [
      words('Mois d’émission', 22),
      figure('Énergie', 18),
      figure('Ventes HT', 13),
      figure('Ventes TTC', 13),
      figure('Frais TTC', 13),
      figure('Résultat', 13),
    ],
    rows: [
      ...months
        .filter(({ documents }) => documents > 0)
        .map(({ month, sales: own, fee, result }) => [
          capital(frenchMonth(month)),
          kwh(own.wh),
          ...[own.net, own.gross, fee.gross, result].map(centsOr),
        ]),
      ['Total', kwh(total.wh), ...[total.net, total.gross, total.fees, total.gross - total.fees].map(centsOr)],
    ],
    total: true,
    lead: 'Par mois d’émission, les avoirs déduits.',
  }
}

export const moneyTables = { buyers, sellers, supplied, sales }
