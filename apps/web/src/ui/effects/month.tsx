import type { EffectMember, EffectMonth, EffectSide } from '@voisol/contract/effects'
import { prm } from '../../lib/energy-labels.ts'
import { plural } from '../../lib/format.ts'
import { Badge } from '../badge.tsx'
import { cx } from '../cx.ts'
import { figure, gainOf, isPartial, monthTitle, signed } from './words.ts'

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

function MemberRow({ member: { name, prm: meter, direction, before, after } }: { member: EffectMember }) {
  const gain = gainOf(before, after)
  return (
    <tr className="border-t border-line">
      <th scope="row" className="px-3 py-2 text-left align-top font-normal">
        <span className="block font-medium">{name || prm(meter)}</span>
        <span className="text-[0.8125rem] text-ink-soft">
          {direction === 'production' ? 'Énergie partagée' : 'Énergie locale reçue'}
        </span>
      </th>
      <td className={number}>
        <Side side={before} other="n’en faisait pas partie" />
      </td>
      <td className={number}>
        <Side side={after} other="n’en fait plus partie" />
      </td>
      <td className={cx(number, 'whitespace-nowrap font-medium', tone(gain))}>{signed(gain)}</td>
    </tr>
  )
}

function SurplusRow({ before, after }: Pick<EffectMonth, 'before' | 'after'>) {
  return (
    <tr className="border-t border-line-strong">
      <th scope="row" className="px-3 py-2 text-left font-normal">
        Surplus de l’opération
      </th>
      <td className={cx(number, 'whitespace-nowrap')}>{figure(before.surplus)}</td>
      <td className={cx(number, 'whitespace-nowrap')}>{figure(after.surplus)}</td>
      <td className={cx(number, 'whitespace-nowrap font-medium')}>{signed(after.surplus - before.surplus)}</td>
    </tr>
  )
}

const HEADS = ['Avant', 'Après', 'Écart']

/** One month of an operation: those for whom something changes, and the surplus. */
export function MonthEffect({ month, several }: { month: EffectMonth; several: boolean }) {
  const title = `${monthTitle(month.month)}${several ? `, ${month.operationName}` : ''}`
  if (!month.changed)
    return (
      <p className="rounded-card border border-line px-3 py-2 text-body text-ink-soft">
        <span className="font-medium text-ink">{title}</span>&nbsp;: rien ne change.
      </p>
    )
  return (
    <section aria-label={title} className="rounded-card border border-line">
      <header className="flex flex-wrap items-center gap-2 px-3 py-2">
        <h3 className="text-body font-semibold">{title}</h3>
        <Badge tone={month.definitive ? 'warning' : 'neutral'}>
          {month.definitive ? 'Calcul définitif' : 'Calcul provisoire'}
        </Badge>
      </header>
      <table className="w-full border-collapse text-body">
        <caption className="sr-only">Ce qui change en {title}</caption>
        <thead>
          <tr className="border-t border-line text-[0.8125rem] text-ink-soft">
            <th scope="col" className="px-3 py-2 text-left font-medium">
              Membre
            </th>
            {HEADS.map((head) => (
              <th key={head} scope="col" className={cx(number, 'font-medium')}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {month.members.map((member) => (
            <MemberRow key={`${member.participantId} ${member.prm} ${member.direction}`} member={member} />
          ))}
          <SurplusRow {...month} />
        </tbody>
      </table>
      {month.unchanged > 0 && (
        <p className="border-t border-line px-3 py-2 text-[0.8125rem] text-ink-soft">
          {plural(month.unchanged, 'autre membre', 'autres membres')}&nbsp;: rien ne change.
        </p>
      )}
    </section>
  )
}
