import type { Impact, ImpactMonth, ImpactSide, MemberImpact } from '@voisol/contract/effects'
import { useState } from 'react'
import { formatSignedMoney } from '../../lib/billing-labels.ts'
import { formatPrm } from '../../lib/energy-labels.ts'
import { formatCount, formatKwh, formatMoney, formatMonth } from '../../lib/format.ts'
import type { ImpactConfirmation } from '../../lib/stores.ts'
import { Badge } from '../badge.tsx'
import { Button } from '../button.tsx'
import { cx } from '../cx.ts'
import { Dialog } from '../dialog.tsx'

const hasMissingReadings = ({ months }: Impact) =>
  months.some(({ members }) => members.some(({ before, after }) => isPartialSide(before) || isPartialSide(after)))

/** What a change of the past does to each month and member, before it is made. */
export default function ImpactDialog({ effects, action, settle }: ImpactConfirmation) {
  const several = new Set(effects.months.map(({ operationId }) => operationId)).size > 1
  return (
    <Dialog
      title="Ce que cela change"
      description={effects.summary}
      width="wide"
      open
      onOpenChange={(open) => !open && settle(false)}
      actions={
        <>
          <Button variant="secondary" onClick={() => settle(false)}>
            Ne rien changer
          </Button>
          <Button onClick={() => settle(true)}>{action}</Button>
        </>
      }
    >
      <div className="grid gap-3">
        {effects.months.map((month) => (
          <MonthImpact key={`${month.operationId} ${month.month}`} month={month} several={several} />
        ))}
        {hasMissingReadings(effects) && (
          <p className="flex items-center gap-2 text-[0.8125rem] text-ink-soft">
            <span aria-hidden="true" className="hatch-missing h-3 w-5 rounded-xs border border-line-strong" />
            Hachuré&nbsp;: des relevés manquent, le chiffre ne compte que ce qui est connu.
          </p>
        )}
      </div>
    </Dialog>
  )
}

/** A figure; hatched where some of its steps are not known. */
function ImpactFigure({ side, other }: { side: ImpactSide | null; other: string }) {
  if (side === null)
    return (
      <>
        <span aria-hidden="true">–</span>
        <span className="sr-only">{other}</span>
      </>
    )
  return (
    <span
      title={isPartialSide(side) ? `${formatCount(side.missing, 'pas inconnu', 'pas inconnus')}` : undefined}
      className={cx('whitespace-nowrap', isPartialSide(side) && 'hatch-missing rounded-xs px-1')}
    >
      {formatWattMinutes(side.local)}
      {isPartialSide(side) && <span className="sr-only"> (incomplet)</span>}
    </span>
  )
}

const getGainClass = (gain: number) => (gain > 0 ? 'text-success' : gain < 0 ? 'text-danger' : 'text-ink-soft')
const numberCellClass = 'tabular px-2 py-2 text-right align-top sm:px-3'

const [NOT_YET_MEMBER, AFTER] = ['n’en faisait pas partie', 'n’en fait plus partie']
/** On a phone both sides stand under the name. */
const wideCellClass = cx(numberCellClass, 'hidden sm:table-cell')

const ENERGY_LABELS = { consumption: 'Énergie locale reçue', production: 'Énergie partagée' }
const BATTERY_ENERGY_LABELS = { consumption: 'Énergie stockée', production: 'Énergie restituée' }

function MemberRow({ member }: { member: MemberImpact }) {
  const { name, prm: meter, direction, storage, before, after, cents } = member
  const gain = computeGain(before, after)
  return (
    <tr className="border-t border-line">
      <th scope="row" className="px-3 py-2 text-left align-top font-normal">
        <span className="block font-medium">{name || formatPrm(meter)}</span>
        <span className="block text-[0.8125rem] text-ink-soft">
          {(storage ? BATTERY_ENERGY_LABELS : ENERGY_LABELS)[direction]}
        </span>
        <span className="tabular block text-[0.8125rem] sm:hidden">
          <ImpactFigure side={before} other={NOT_YET_MEMBER} /> → <ImpactFigure side={after} other={AFTER} />
        </span>
      </th>
      <td className={wideCellClass}>
        <ImpactFigure side={before} other={NOT_YET_MEMBER} />
      </td>
      <td className={wideCellClass}>
        <ImpactFigure side={after} other={AFTER} />
      </td>
      <td className={cx(numberCellClass, 'whitespace-nowrap font-medium', getGainClass(gain))}>
        {formatSignedWattMinutes(gain)}
        {cents !== undefined && <span className="block text-[0.8125rem] text-ink">{formatSignedMoney(cents)} TTC</span>}
      </td>
    </tr>
  )
}

function SurplusRow({ before, after }: Pick<ImpactMonth, 'before' | 'after'>) {
  return (
    <tr className="border-t border-line-strong">
      <th scope="row" className="px-3 py-2 text-left align-top font-normal">
        <span className="block font-medium">Surplus de l’opération</span>
        <span className="tabular block text-[0.8125rem] sm:hidden">
          {formatWattMinutes(before.surplus)} → {formatWattMinutes(after.surplus)}
        </span>
      </th>
      <td className={cx(wideCellClass, 'whitespace-nowrap')}>{formatWattMinutes(before.surplus)}</td>
      <td className={cx(wideCellClass, 'whitespace-nowrap')}>{formatWattMinutes(after.surplus)}</td>
      <td className={cx(numberCellClass, 'whitespace-nowrap font-medium')}>
        {formatSignedWattMinutes(after.surplus - before.surplus)}
      </td>
    </tr>
  )
}

/** Those who gain or lose most come first; the others can be opened. */
const MAX_SHOWN_MEMBERS = 6

const COLUMN_HEADS = [
  ['Avant', wideCellClass],
  ['Après', wideCellClass],
  ['Écart', numberCellClass],
] as const

function ImpactTable({ month, shown }: { month: ImpactMonth; shown: MemberImpact[] }) {
  return (
    <table className="w-full border-collapse text-body">
      <caption className="sr-only">Ce qui change en {formatMonthTitle(month.month)}</caption>
      <thead>
        <tr className="border-t border-line text-[0.8125rem] text-ink-soft">
          <th scope="col" className="px-3 py-2 text-left font-medium">
            Membre
          </th>
          {COLUMN_HEADS.map(([head, place]) => (
            <th key={head} scope="col" className={cx(place, 'font-medium')}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <SurplusRow {...month} />
        {shown.map((member) => (
          <MemberRow key={`${member.participantId} ${member.prm} ${member.direction}`} member={member} />
        ))}
      </tbody>
    </table>
  )
}

const noteClass = 'border-t border-line px-3 py-2 text-[0.8125rem] text-ink-soft'

/** One month of an operation: those for whom something changes, and the surplus. */
function MonthImpact({ month, several }: { month: ImpactMonth; several: boolean }) {
  const [whole, setWhole] = useState(false)
  const shown =
    whole || month.members.length <= MAX_SHOWN_MEMBERS + 1 ? month.members : month.members.slice(0, MAX_SHOWN_MEMBERS)
  const more = month.members.length - shown.length
  const title = `${formatMonthTitle(month.month)}${several ? `, ${month.operationName}` : ''}`
  if (!month.changed)
    return (
      <p className="rounded-card border border-line px-3 py-2 text-body text-ink-soft">
        <span className="font-medium text-ink">{title}</span>&nbsp;: rien ne change.
      </p>
    )
  return (
    <section aria-label={title} className="min-w-0 rounded-card border border-line">
      <header className="flex flex-wrap items-center gap-2 px-3 py-2">
        <h3 className="text-body font-semibold">{title}</h3>
        <Badge tone={month.definitive ? 'warning' : 'neutral'}>
          {month.definitive ? 'Calcul définitif' : 'Calcul provisoire'}
        </Badge>
      </header>
      {month.cents !== undefined && <p className={noteClass}>{describeBillImpact(month.cents)}</p>}
      <ImpactTable month={month} shown={shown} />
      {more > 0 && (
        <p className={noteClass}>
          <Button variant="quiet" size="small" onClick={() => setWhole(true)}>
            Voir les {formatCount(more, 'autre')}
          </Button>
        </p>
      )}
      {month.unchanged > 0 && (
        <p className={noteClass}>
          {formatCount(month.unchanged, 'autre membre', 'autres membres')}&nbsp;: rien ne change.
        </p>
      )}
    </section>
  )
}

/** The month as a heading: « Mars 2025 ». */
const formatMonthTitle = (day: string) => {
  const words = formatMonth(`${day}T12:00:00Z`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Watt-minutes. */
const formatWattMinutes = (energy: number) => formatKwh(energy / 60_000)

/** With its sign; what rounds to nothing has none. */
function formatSignedWattMinutes(energy: number) {
  const text = formatKwh(Math.abs(energy) / 60_000)
  if (text === formatKwh(0)) return energy === 0 ? text : `<\u00a0${formatKwh(0.1)}`
  return `${energy > 0 ? '+' : '−'}${text}`
}

/** In local energy; whoever takes no part has none. */
const computeGain = (before: ImpactSide | null, after: ImpactSide | null) => (after?.local ?? 0) - (before?.local ?? 0)

const isPartialSide = (side: ImpactSide | null) => side !== null && side.missing > 0

/** A month that was invoiced: what its buyers owe more or less, and what comes of it. */
export function describeBillImpact(cents: number): string {
  if (cents === 0) return 'Ce mois est facturé\u00a0: en tout, ses factures ne changent pas.'
  const way = cents > 0 ? `${formatMoney(cents)} TTC de plus` : `${formatMoney(-cents)} TTC de moins`
  return `Ce mois est facturé\u00a0: ${way} en tout. Une régularisation sera proposée.`
}
