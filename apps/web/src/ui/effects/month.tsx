import type { EffectMember, EffectMonth, EffectSide } from '@voisol/contract/effects'
import { useState } from 'react'
import { signedMoney } from '../../lib/billing-labels.ts'
import { prm } from '../../lib/energy-labels.ts'
import { plural } from '../../lib/format.ts'
import { Badge } from '../badge.tsx'
import { Button } from '../button.tsx'
import { cx } from '../cx.ts'
import { billWords, figure, gainOf, isPartial, monthTitle, signed } from './words.ts'

/** A figure; hatched where some of its steps are not known. */
function Side({ side, other }: { side: EffectSide | null; other: string }) {
  if (side === null)
    return (
      <>
        <span aria-hidden="true">–</span>
        <span className="sr-only">{other}</span>
      </>
    )
  return (
    <span
      title={isPartial(side) ? `${plural(side.missing, 'pas inconnu', 'pas inconnus')}` : undefined}
      className={cx('whitespace-nowrap', isPartial(side) && 'hatch-missing rounded-xs px-1')}
    >
      {figure(side.local)}
      {isPartial(side) && <span className="sr-only"> (incomplet)</span>}
    </span>
  )
}

const tone = (gain: number) => (gain > 0 ? 'text-success' : gain < 0 ? 'text-danger' : 'text-ink-soft')
const number = 'tabular px-2 py-2 text-right align-top sm:px-3'

const [BEFORE, AFTER] = ['n’en faisait pas partie', 'n’en fait plus partie']
/** On a phone both sides stand under the name. */
const wide = cx(number, 'hidden sm:table-cell')

const LOCAL = { consumption: 'Énergie locale reçue', production: 'Énergie partagée' }
const BATTERY = { consumption: 'Énergie stockée', production: 'Énergie restituée' }

function MemberRow({ member }: { member: EffectMember }) {
  const { name, prm: meter, direction, storage, before, after, cents } = member
  const gain = gainOf(before, after)
  return (
    <tr className="border-t border-line">
      <th scope="row" className="px-3 py-2 text-left align-top font-normal">
        <span className="block font-medium">{name || prm(meter)}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{(storage ? BATTERY : LOCAL)[direction]}</span>
        <span className="tabular block text-[0.8125rem] sm:hidden">
          <Side side={before} other={BEFORE} /> → <Side side={after} other={AFTER} />
        </span>
      </th>
      <td className={wide}>
        <Side side={before} other={BEFORE} />
      </td>
      <td className={wide}>
        <Side side={after} other={AFTER} />
      </td>
      <td className={cx(number, 'whitespace-nowrap font-medium', tone(gain))}>
        {signed(gain)}
        {cents !== undefined && <span className="block text-[0.8125rem] text-ink">{signedMoney(cents)} TTC</span>}
      </td>
    </tr>
  )
}

function SurplusRow({ before, after }: Pick<EffectMonth, 'before' | 'after'>) {
  return (
    <tr className="border-t border-line-strong">
      <th scope="row" className="px-3 py-2 text-left align-top font-normal">
        <span className="block font-medium">Surplus de l’opération</span>
        <span className="tabular block text-[0.8125rem] sm:hidden">
          {figure(before.surplus)} → {figure(after.surplus)}
        </span>
      </th>
      <td className={cx(wide, 'whitespace-nowrap')}>{figure(before.surplus)}</td>
      <td className={cx(wide, 'whitespace-nowrap')}>{figure(after.surplus)}</td>
      <td className={cx(number, 'whitespace-nowrap font-medium')}>{signed(after.surplus - before.surplus)}</td>
    </tr>
  )
}

/** Those who gain or lose most come first; the others can be opened. */
const SHOWN = 6

const HEADS = [
  ['Avant', wide],
  ['Après', wide],
  ['Écart', number],
] as const

function Changes({ month, shown }: { month: EffectMonth; shown: EffectMember[] }) {
  return (
    <table className="w-full border-collapse text-body">
      <caption className="sr-only">Ce qui change en {monthTitle(month.month)}</caption>
      <thead>
        <tr className="border-t border-line text-[0.8125rem] text-ink-soft">
          <th scope="col" className="px-3 py-2 text-left font-medium">
            Membre
          </th>
          {HEADS.map(([head, place]) => (
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

const note = 'border-t border-line px-3 py-2 text-[0.8125rem] text-ink-soft'

/** One month of an operation: those for whom something changes, and the surplus. */
export function MonthEffect({ month, several }: { month: EffectMonth; several: boolean }) {
  const [whole, setWhole] = useState(false)
  const shown = whole || month.members.length <= SHOWN + 1 ? month.members : month.members.slice(0, SHOWN)
  const more = month.members.length - shown.length
  const title = `${monthTitle(month.month)}${several ? `, ${month.operationName}` : ''}`
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
      {month.cents !== undefined && <p className={note}>{billWords(month.cents)}</p>}
      <Changes month={month} shown={shown} />
      {more > 0 && (
        <p className={note}>
          <Button variant="quiet" size="small" onClick={() => setWhole(true)}>
            Voir les {plural(more, 'autre')}
          </Button>
        </p>
      )}
      {month.unchanged > 0 && (
        <p className={note}>{plural(month.unchanged, 'autre membre', 'autres membres')}&nbsp;: rien ne change.</p>
      )}
    </section>
  )
}
