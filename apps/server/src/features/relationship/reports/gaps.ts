import { type ReportBlock, sourceOf } from '@voisol/contract/report-blocks'
import { percent, plural } from '../../../french.ts'
import { today } from '../../../today.ts'
import type { Scene } from './scene.ts'

async function ofEnergy({ energy, days }: Scene): Promise<string[]> {
  const summary = await energy()
  if (!summary) return ['Aucun relevé n’est connu sur cette période.']
  const { steps, current, suspended, stale, definitive } = summary
  const notes: string[] = []
  if (steps.received < steps.expected)
    notes.push(
      `${percent(steps.received / steps.expected)} des relevés attendus sont arrivés\u00a0: ce qui manque n’est pas compté.`,
    )
  if (steps.estimated > 0)
    notes.push(`${plural(steps.estimated, 'relevé est estimé', 'relevés sont estimés')}, par le distributeur ou ici.`)
  if (current.pendingConsumed + current.pendingProduced > 0)
    notes.push('Une partie de la période n’est pas encore répartie\u00a0: ces chiffres peuvent encore monter.')
  if (suspended.length > 0)
    notes.push(
      `${plural(suspended.length, 'compteur n’a pas pris', 'compteurs n’ont pas pris')} part au partage, tout ou partie de la période, faute de relevés.`,
    )
  if (stale) notes.push('Des relevés ont changé depuis la dernière répartition\u00a0: elle est à refaire.')
  if (!definitive && days.to <= today()) notes.push('La répartition de la période n’est pas encore définitive.')
  return notes
}

/** What would make these figures less than whole, of all that the blocks show. */
export async function gapsOf(scene: Scene, blocks: ReportBlock[]): Promise<string[]> {
  const rights = new Set(blocks.map((block) => sourceOf(block)?.right))
  const notes: string[] = []
  if (scene.days.to > today()) notes.push('La période n’est pas finie\u00a0: ces chiffres sont ceux du jour.')
  if (rights.has('energy.read')) notes.push(...(await ofEnergy(scene)))
  if (rights.has('invoices.read') && scene.subject.kind === 'operation') notes.push(...(await scene.assembly()).notes)
  if (rights.has('invoices.read') && scene.subject.kind === 'participant' && !(await scene.annual())?.months.length)
    notes.push('Aucune facture n’a été émise pour cette année.')
  if (rights.has('parties.read') && !(await scene.sold())) notes.push('Aucune vente n’a été facturée cette année.')
  // Two of these may say the same of the same days.
  return [...new Set(notes)]
}
