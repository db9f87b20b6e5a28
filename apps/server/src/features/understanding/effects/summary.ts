import type { EffectMonth, Effects } from '@voisol/contract/effects'
import { addMonths } from '@voisol/energy/calendar'
import { frenchMonth, NBSP, plural } from '../../../french.ts'

export const NOTHING: Effects = {
  retroactive: false,
  shown: null,
  summary: 'Ce changement ne touche aucun jour déjà réparti.',
  months: [],
  beyond: null,
  outdated: [],
}

const KWH = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
/** Watt-minutes, signed: « +12,4 kWh ». */
const signed = (energy: number) => `${KWH.format(energy / 60_000)}${NBSP}kWh`

const span = (months: string[]) => {
  const [first = '', last = ''] = [months[0], months.at(-1)]
  return first === last ? `en ${frenchMonth(first)}` : `de ${frenchMonth(first)} à ${frenchMonth(last)}`
}

function peopleWords(months: EffectMonth[]): string {
  const gain = new Map<string, number>()
  for (const { members } of months)
    for (const { participantId, direction, before, after } of members)
      if (direction === 'consumption')
        gain.set(participantId, (gain.get(participantId) ?? 0) + (after?.local ?? 0) - (before?.local ?? 0))
  const values = [...gain.values()]
  const more = values.filter((value) => value > 0).length
  const less = values.filter((value) => value < 0).length
  if (!more && !less) return 'la part locale de chacun reste la même'
  const words = [
    more > 0 && `${plural(more, 'membre reçoit', 'membres reçoivent')} plus d’énergie locale`,
    less > 0 && `${plural(less, 'membre en reçoit', 'membres en reçoivent')} moins`,
  ]
  return words.filter(Boolean).join(', ')
}

const surplusWords = (months: EffectMonth[]) => {
  const change = months.reduce((sum, { before, after }) => sum + after.surplus - before.surplus, 0)
  return change === 0 ? 'le surplus ne change pas' : `le surplus change de ${signed(change)}`
}

const EUROS = new Intl.NumberFormat('fr-FR', { style: 'currency', currency: 'EUR', signDisplay: 'exceptZero' })

/** Of months that were invoiced: what a regularisation will ask or give back. */
function euroWords(months: EffectMonth[]): string {
  const billed = months.filter(({ cents }) => cents !== undefined)
  const amounts = billed.flatMap(({ members }) => members.flatMap(({ cents }) => cents ?? []))
  if (!amounts.length) return ''
  const sum = billed.reduce((all, { cents }) => all + (cents ?? 0), 0)
  const [count, what] = [
    plural(billed.length, 'mois facturé', 'mois facturés'),
    plural(amounts.length, 'montant', 'montants'),
  ]
  return ` ${count}${NBSP}: ${what} à régulariser, ${EUROS.format(sum / 100)} TTC au total.`
}

const outdatedWords = (count: number) =>
  count > 0
    ? ` ${plural(count, 'calcul définitif devient', 'calculs définitifs deviennent')} à rectifier${NBSP}: ce qui en a été tiré sera à revoir.`
    : ''

const staleWords = (months: EffectMonth[]) =>
  months.some(({ stale }) => stale)
    ? ' Des calculs de ces mois étaient déjà à refaire\u00a0: leur écart comprend ce qui avait changé avant.'
    : ''

const beyondWords = (beyond: Effects['beyond']) =>
  beyond
    ? ` ${plural(beyond.months, 'mois plus ancien est aussi touché', 'mois plus anciens sont aussi touchés')}, ${span([beyond.from, addMonths(beyond.to, -1)])}, sans être calculé ici.`
    : ''

/** What the change does, in plain words. */
export function summaryOf(months: EffectMonth[], outdated: number, beyond: Effects['beyond']): string {
  const touched = months.map(({ month }) => month).sort()
  const changed = months.filter((month) => month.changed)
  const count = plural(touched.length, 'mois déjà réparti', 'mois déjà répartis')
  const head = `Ce changement touche ${count}, ${span(touched)}`
  const what = changed.length
    ? `${NBSP}: ${peopleWords(changed)}, et ${surplusWords(changed)}.`
    : `${NBSP}: aucun chiffre ne change.`
  return `${head}${what}${euroWords(months)}${outdatedWords(outdated)}${staleWords(months)}${beyondWords(beyond)}`
}
