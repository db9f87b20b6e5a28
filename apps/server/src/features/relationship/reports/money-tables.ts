import { formatFrenchMonth } from '../../../french.ts'
import { formatWhAsKwh } from '../../../papers/decimals.ts'
import { formatLongDay } from '../../../papers/words.ts'
import type { ReportData } from './scene.ts'
import { buildEmptyTable, buildNumberColumn, buildTextColumn, type ReportTableContent } from './table-parts.ts'
import { capitalize, formatEurosOrDash, formatKwhOrDash } from './words.ts'

async function buildBuyersTable({ assembly }: ReportData): Promise<ReportTableContent> {
  const { buyers: rows, totals, on } = await assembly()
  if (rows.length === 0) return buildEmptyTable('Aucune facture n’a été émise pour cette période.')
  return {
    columns: [
      buildTextColumn('Participant', 30),
      buildNumberColumn('Énergie locale', 16),
      buildNumberColumn('Facturé TTC', 14),
      buildNumberColumn('Réglé', 14),
      buildNumberColumn('Reste dû', 13),
      buildNumberColumn('Économie HT', 14),
    ],
    rows: [
      ...rows.map(({ name, wh, billed, settled, open, saved }) => [
        name,
        formatKwhOrDash(wh),
        ...[billed, settled, open, saved].map(formatEurosOrDash),
      ]),
      ['Total', '', ...[totals.billed, totals.settled, totals.open, totals.saved].map(formatEurosOrDash)],
    ],
    total: true,
    lead: `Facturé pour l’énergie de la période, avoirs déduits\u00a0; réglé et restant dû au ${formatLongDay(on)}. L’économie est hors taxes, face au prix du fournisseur.`,
  }
}

async function buildSellersTable({ assembly }: ReportData): Promise<ReportTableContent> {
  const { producers, earned } = await assembly()
  if (producers.length === 0) return buildEmptyTable('Aucune vente n’a été facturée pour cette période.')
  return {
    columns: [
      buildTextColumn('Producteur', 30),
      buildNumberColumn('Ventes HT', 15),
      buildNumberColumn('TVA', 12),
      buildNumberColumn('Ventes TTC', 15),
      buildNumberColumn('Frais TTC', 14),
      buildNumberColumn('Reste', 14),
    ],
    rows: [
      ...producers.map(({ name, net, tax, gross, fees, earned: left }) => [
        name,
        ...[net, tax, gross, fees, left].map(formatEurosOrDash),
      ]),
      ['Total', '', '', '', '', formatEurosOrDash(earned)],
    ],
    total: true,
    lead: '',
  }
}

async function buildSuppliedTable({ annual }: ReportData): Promise<ReportTableContent> {
  const found = await annual()
  if (!found?.months.length) return buildEmptyTable('Aucune facture n’a été émise pour cette année.')
  const { months, totals } = found
  return {
    columns: [
      buildTextColumn('Mois fourni', 20),
      buildTextColumn('Documents', 30),
      buildNumberColumn('Énergie', 17),
      buildNumberColumn('HT', 12),
      buildNumberColumn('TVA', 11),
      buildNumberColumn('TTC', 12),
    ],
    rows: [
      ...months.map(({ month, documents, wh, net, tax, gross }) => [
        capitalize(formatFrenchMonth(month)),
        documents.map(({ number }) => number).join(', '),
        formatWhAsKwh(wh),
        ...[net, tax, gross].map(formatEurosOrDash),
      ]),
      ['Total', '', formatWhAsKwh(totals.wh), ...[totals.net, totals.tax, totals.gross].map(formatEurosOrDash)],
    ],
    total: true,
    lead: 'Par mois fourni, les corrections avec le mois qu’elles corrigent, les avoirs déduits.',
  }
}

async function buildSalesTable({ sold }: ReportData): Promise<ReportTableContent> {
  const found = await sold()
  if (!found) return buildEmptyTable('Aucune vente n’a été facturée cette année.')
  const { months, total } = found
  return {
    columns: [
      buildTextColumn('Mois d’émission', 22),
      buildNumberColumn('Énergie', 18),
      buildNumberColumn('Ventes HT', 13),
      buildNumberColumn('Ventes TTC', 13),
      buildNumberColumn('Frais TTC', 13),
      buildNumberColumn('Résultat', 13),
    ],
    rows: [
      ...months
        .filter(({ documents }) => documents > 0)
        .map(({ month, sales: own, fee, result }) => [
          capitalize(formatFrenchMonth(month)),
          formatWhAsKwh(own.wh),
          ...[own.net, own.gross, fee.gross, result].map(formatEurosOrDash),
        ]),
      [
        'Total',
        formatWhAsKwh(total.wh),
        ...[total.net, total.gross, total.fees, total.gross - total.fees].map(formatEurosOrDash),
      ],
    ],
    total: true,
    lead: 'Par mois d’émission, les avoirs déduits.',
  }
}

export const MONEY_TABLES = {
  buyers: buildBuyersTable,
  sellers: buildSellersTable,
  supplied: buildSuppliedTable,
  sales: buildSalesTable,
}
