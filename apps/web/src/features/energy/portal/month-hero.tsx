import type { Summary } from '@voisol/contract/energy'
import { beforeWords, rateOf, savedWords, share, wholeWords } from '@voisol/contract/month-words'
import { wordsOf } from '@voisol/contract/side-words'
import type { ReactNode } from 'react'
import { energy, plural } from '../../../lib/format.ts'
import { cx } from '../../../ui/cx.ts'
import { ShareFigures } from '../../../ui/stack/share-bar.tsx'
import { partsOf } from './figures.ts'
import type { Mine } from './my-points.ts'
import { SunShare } from './sun-share.tsx'
import { countDays, type Month, untilWords } from './use-month.ts'

const Answer = ({ rate, answer }: { rate: number; answer: string }) => (
  <p className="text-2xl leading-snug font-semibold tracking-[-0.02em] text-balance sm:text-[2rem]">
    <strong className="font-semibold text-amber-800">{share(rate)}</strong> {answer}
  </p>
)

/** As many days just before, or the month before where this one is whole. */
const justBefore = (month: Month) =>
  month.when === 'ce mois-ci'
    ? `aux ${plural(countDays(month), 'jour précédent', 'jours précédents')}`
    : 'au mois d’avant'

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
        {beforeWords(summary, side, justBefore(month))} {until}
      </p>
    </Frame>
  )
}
