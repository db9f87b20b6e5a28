import type { Summary } from '@voisol/contract/energy'
import type { ReactNode } from 'react'
import { energy, plural } from '../../../lib/format.ts'
import { cx } from '../../../ui/cx.ts'
import { ShareFigures } from '../../../ui/stack/share-bar.tsx'
import { partsOf, pointsWords, rateOf, share } from './figures.ts'
import { savedWords, untilWords, wholeWords } from './month-words.ts'
import type { Mine, Side } from './my-points.ts'
import { wordsOf } from './side-words.ts'
import { SunShare } from './sun-share.tsx'
import { countDays, type Month } from './use-month.ts'

const Answer = ({ rate, answer }: { rate: number; answer: string }) => (
  <p className="text-2xl leading-snug font-semibold tracking-[-0.02em] text-balance sm:text-[2rem]">
    <strong className="font-semibold text-amber-800">{share(rate)}</strong> {answer}
  </p>
)

/** Two shares: the same days of the year before, which had the same sun, or as many days just before. */
function Before({ summary, side, month }: { summary: Summary; side: Side; month: Month }) {
  const { current, lastYear, previous } = summary
  const [now, then, last] = [current, lastYear, previous].map((totals) => totals && rateOf(totals, side))
  const days = plural(countDays(month), 'jour précédent', 'jours précédents')
  const just = month.when === 'ce mois-ci' ? `aux ${days}` : 'au mois d’avant'
  const [before, than] =
    typeof then === 'number' ? [then, `aux mêmes jours de ${Number(summary.from.slice(0, 4)) - 1}`] : [last, just]
  if (typeof now !== 'number' || typeof before !== 'number') return null
  const words = pointsWords(now, before)
  return words === 'autant' ? `C’est autant qu’${than}. ` : `C’est ${words} qu’${than}. `
}

const Frame = ({ children, picture }: { children: ReactNode; picture?: ReactNode }) => (
  <section
    aria-label="Ce mois-ci en bref"
    className={cx(
      'grid gap-6 rounded-card border border-amber-200 bg-amber-50 p-6 sm:p-8',
      picture !== undefined && 'md:grid-cols-[auto_minmax(0,1fr)] md:items-center md:gap-10',
    )}
  >
    {picture}
    <div className="grid gap-4">{children}</div>
  </section>
)

type MonthHeroProps = { summary: Summary; mine: Mine; month: Month; saved?: number | undefined }

/** How am I doing, in one sentence. */
export function MonthHero({ summary, mine, month, saved }: MonthHeroProps) {
  const { side } = mine
  const words = wordsOf(mine)
  const rate = rateOf(summary.current, side)
  const until = untilWords(month)
  if (rate === null)
    return (
      <Frame>
        <p className="text-2xl font-semibold tracking-[-0.02em]">{wholeWords(summary, mine, month)}</p>
        <p className="prose-width">La part locale sera connue quand la répartition aura été calculée. {until}</p>
      </Frame>
    )
  return (
    <Frame picture={<SunShare share={rate} className="mx-auto size-44 sm:size-52" />}>
      <Answer rate={rate} answer={`${words.answer(month.when)}${savedWords(saved)}`} />
      <ShareFigures parts={partsOf(summary.current, mine)} shares={false} />
      {summary.current.storage && (
        <p>
          Votre batterie a stocké {energy(summary.current.storage.stored)} de l’opération et restitué{' '}
          {energy(summary.current.storage.released)}.
        </p>
      )}
      <p className="text-ink-soft">
        <Before summary={summary} side={side} month={month} />
        {until}
      </p>
    </Frame>
  )
}
