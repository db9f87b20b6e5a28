import type { Impact, ImpactMonth } from '@voisol/contract/effects'
import { addMonths } from '@voisol/energy/calendar'
import { formatCount, formatFrenchMonth, NBSP } from '../../../french.ts'

export const NO_IMPACT: Impact = {
  retroactive: false,
  shown: null,
  summary: 'Ce changement ne touche aucun jour déjà réparti.',
  months: [],
  beyond: null,
  outdated: [],
}

const KWH_CHANGE_FORMAT = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
/** Watt-minutes with a sign: « +12,4 kWh ». */
const formatEnergyChange = (energy: number) => `${KWH_CHANGE_FORMAT.format(energy / 60_000)}${NBSP}kWh`

const formatMonthRange = (months: string[]) => {
  const [first = '', last = ''] = [months[0], months.at(-1)]
  return first === last
    ? `en ${formatFrenchMonth(first)}`
    : `de ${formatFrenchMonth(first)} à ${formatFrenchMonth(last)}`
}

function describeMemberChanges(months: ImpactMonth[]): string {
  const gainByParticipant = new Map<string, number>()
  for (const { members } of months)
    for (const { participantId, direction, before, after } of members)
      if (direction === 'consumption')
        gainByParticipant.set(
          participantId,
          (gainByParticipant.get(participantId) ?? 0) + (after?.local ?? 0) - (before?.local ?? 0),
        )
  const values = [...gainByParticipant.values()]
  const more = values.filter((value) => value > 0).length
  const less = values.filter((value) => value < 0).length
  if (!more && !less) return 'la part locale de chacun reste la même'
  const words = [
    more > 0 && `${formatCount(more, 'membre reçoit', 'membres reçoivent')} plus d’énergie locale`,
    less > 0 && `${formatCount(less, 'membre en reçoit', 'membres en reçoivent')} moins`,
  ]
  return words.filter(Boolean).join(', ')
}

const describeSurplusChange = (months: ImpactMonth[]) => {
  const change = months.reduce((sum, { before, after }) => sum + after.surplus - before.surplus, 0)
  return change === 0 ? 'le surplus ne change pas' : `le surplus change de ${formatEnergyChange(change)}`
}

const EURO_CHANGE_FORMAT = new Intl.NumberFormat('fr-FR', {
  style: 'currency',
  currency: 'EUR',
  signDisplay: 'exceptZero',
})

/** For invoiced months: what a correction will bill or give back. */
function describeAmounts(months: ImpactMonth[]): string {
  const billed = months.filter(({ cents }) => cents !== undefined)
  const amounts = billed.flatMap(({ members }) => members.flatMap(({ cents }) => cents ?? []))
  if (!amounts.length) return ''
  const sum = billed.reduce((all, { cents }) => all + (cents ?? 0), 0)
  const [count, what] = [
    formatCount(billed.length, 'mois facturé', 'mois facturés'),
    formatCount(amounts.length, 'montant', 'montants'),
  ]
  return ` ${count}${NBSP}: ${what} à régulariser, ${EURO_CHANGE_FORMAT.format(sum / 100)} TTC au total.`
}

const describeOutdatedRuns = (count: number) =>
  count > 0
    ? ` ${formatCount(count, 'calcul définitif devient', 'calculs définitifs deviennent')} à rectifier${NBSP}: ce qui en a été tiré sera à revoir.`
    : ''

const describeStaleRuns = (months: ImpactMonth[]) =>
  months.some(({ stale }) => stale)
    ? ' Des calculs de ces mois étaient déjà à refaire\u00a0: leur écart comprend ce qui avait changé avant.'
    : ''

const describeMonthsNotComputed = (beyond: Impact['beyond']) =>
  beyond
    ? ` ${formatCount(beyond.months, 'mois plus ancien est aussi touché', 'mois plus anciens sont aussi touchés')}, ${formatMonthRange([beyond.from, addMonths(beyond.to, -1)])}, sans être calculé ici.`
    : ''

/** Describes the effect of a change in plain words. */
export function buildImpactSummary(months: ImpactMonth[], outdated: number, beyond: Impact['beyond']): string {
  const touchedMonths = months.map(({ month }) => month).sort()
  const changed = months.filter((month) => month.changed)
  const count = formatCount(touchedMonths.length, 'mois déjà réparti', 'mois déjà répartis')
  const head = `Ce changement touche ${count}, ${formatMonthRange(touchedMonths)}`
  const what = changed.length
    ? `${NBSP}: ${describeMemberChanges(changed)}, et ${describeSurplusChange(changed)}.`
    : `${NBSP}: aucun chiffre ne change.`
  return `${head}${what}${describeAmounts(months)}${describeOutdatedRuns(outdated)}${describeStaleRuns(months)}${describeMonthsNotComputed(beyond)}`
}
