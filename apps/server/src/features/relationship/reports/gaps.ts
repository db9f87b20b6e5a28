import { getBlockSource, type ReportBlock } from '@voisol/contract/report-blocks'
import { formatCount, formatPercent } from '../../../french.ts'
import { getToday } from '../../../today.ts'
import type { ReportData } from './scene.ts'

async function listEnergyGaps({ energy, days }: ReportData): Promise<string[]> {
  const summary = await energy()
  if (!summary) return ['Aucun relevé n’est connu sur cette période.']
  const { steps, current, suspended, stale, definitive } = summary
  const notes: string[] = []
  if (steps.received < steps.expected)
    notes.push(
      `${formatPercent(steps.received / steps.expected)} des relevés attendus sont arrivés\u00a0: ce qui manque n’est pas compté.`,
    )
  if (steps.estimated > 0)
    notes.push(
      `${formatCount(steps.estimated, 'relevé est estimé', 'relevés sont estimés')}, par le distributeur ou ici.`,
    )
  if (current.pendingConsumed + current.pendingProduced > 0)
    notes.push('Une partie de la période n’est pas encore répartie\u00a0: ces chiffres peuvent encore monter.')
  if (suspended.length > 0)
    notes.push(
      `${formatCount(suspended.length, 'compteur n’a pas pris', 'compteurs n’ont pas pris')} part au partage, tout ou partie de la période, faute de relevés.`,
    )
  if (stale) notes.push('Des relevés ont changé depuis la dernière répartition\u00a0: elle est à refaire.')
  if (!definitive && days.to <= getToday()) notes.push('La répartition de la période n’est pas encore définitive.')
  return notes
}

/** The reasons why the figures of the blocks may be incomplete. */
export async function listDataGaps(reportData: ReportData, blocks: ReportBlock[]): Promise<string[]> {
  const rights = new Set(blocks.map((block) => getBlockSource(block)?.right))
  const notes: string[] = []
  if (reportData.days.to > getToday()) notes.push('La période n’est pas finie\u00a0: ces chiffres sont ceux du jour.')
  if (rights.has('energy.read')) notes.push(...(await listEnergyGaps(reportData)))
  if (rights.has('invoices.read') && reportData.subject.kind === 'operation')
    notes.push(...(await reportData.assembly()).notes)
  if (
    rights.has('invoices.read') &&
    reportData.subject.kind === 'participant' &&
    !(await reportData.annual())?.months.length
  )
    notes.push('Aucune facture n’a été émise pour cette année.')
  if (rights.has('parties.read') && !(await reportData.sold())) notes.push('Aucune vente n’a été facturée cette année.')
  // Two reasons may give the same sentence for the same days.
  return [...new Set(notes)]
}
