import type { EnergySummary } from '@voisol/contract/energy'
import {
  describeRateChange,
  describeSaving,
  describeTotal,
  formatRoundedShare,
  getLocalRate,
} from '@voisol/contract/month-words'
import { getSideTexts } from '@voisol/contract/side-words'
import type { ReactNode } from 'react'
import { formatCount, formatEnergy } from '../../../lib/format.ts'
import { cx } from '../../../ui/cx.ts'
import { ShareFigures } from '../../../ui/stack/share-bar.tsx'
import { buildEnergyParts } from './figures.ts'
import type { OwnSide } from './my-points.ts'
import { LocalShareSun } from './sun-share.tsx'
import { countDays, formatReceivedUntilSentence, type ReadingMonth } from './use-month.ts'

const ShareSentence = ({ rate, answer }: { rate: number; answer: string }) => (
  <p className="text-2xl leading-snug font-semibold tracking-[-0.02em] text-balance sm:text-[2rem]">
    <strong className="font-semibold text-amber-800">{formatRoundedShare(rate)}</strong> {answer}
  </p>
)

/** As many days just before, or the month before where this one is whole. */
const describePreviousDays = (month: ReadingMonth) =>
  month.when === 'ce mois-ci'
    ? `aux ${formatCount(countDays(month), 'jour précédent', 'jours précédents')}`
    : 'au mois d’avant'

const HeadlineFrame = ({ children, picture }: { children: ReactNode; picture?: ReactNode }) => (
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

type MonthHeadlineProps = { summary: EnergySummary; mine: OwnSide; month: ReadingMonth; saved?: number | undefined }

/** How am I doing, in one sentence. */
export function MonthHeadline({ summary, mine, month, saved }: MonthHeadlineProps) {
  const { side } = mine
  const words = getSideTexts(mine)
  const rate = getLocalRate(summary.current, side)
  const until = formatReceivedUntilSentence(month)
  if (rate === null)
    return (
      <HeadlineFrame>
        <p className="text-2xl font-semibold tracking-[-0.02em]">{describeTotal(summary, mine, month)}</p>
        <p className="prose-width">La part locale sera connue quand la répartition aura été calculée. {until}</p>
      </HeadlineFrame>
    )
  return (
    <HeadlineFrame picture={<LocalShareSun share={rate} className="mx-auto size-44 sm:size-52" />}>
      <ShareSentence rate={rate} answer={`${words.answer(month.when)}${describeSaving(saved)}`} />
      <ShareFigures parts={buildEnergyParts(summary.current, mine)} shares={false} />
      {summary.current.storage && (
        <p>
          Votre batterie a stocké {formatEnergy(summary.current.storage.stored)} de l’opération et restitué{' '}
          {formatEnergy(summary.current.storage.released)}.
        </p>
      )}
      <p className="text-ink-soft">
        {describeRateChange(summary, side, describePreviousDays(month))} {until}
      </p>
    </HeadlineFrame>
  )
}
