import type { EnergySummary } from '@voisol/contract/energy'
import {
  describeMonth,
  describeRateChange,
  describeSaving,
  describeTotal,
  formatRoundedShare,
  getLocalRate,
} from '@voisol/contract/month-sentences'
import { getSideTexts } from '@voisol/contract/side-texts'
import { daysBetween } from '@voisol/energy/calendar'
import { type ReactNode, useEffect, useState } from 'react'
import { cx } from '../../../../components/cx.ts'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { formatLongDay } from '../../../../components/period/period-labels.ts'
import { ShareFigures } from '../../../../components/stack/share-bar.tsx'
import { SuspendedNotice } from '../../../../components/suspended.tsx'
import { formatCount, formatEnergy } from '../../../../lib/format.ts'
import { storeOfflineFigures } from '../../../../lib/offline-figures.ts'
import { readStorage, toStorageKey, writeStorage } from '../../../../lib/storage.ts'
import { buildEnergyParts, buildFigureLines, FigureLines } from './month-figures.tsx'
import { type OwnSide, type ReadingMonth, useMonthSummary } from './my-points.ts'
import { computeSaving, Savings } from './savings.tsx'
import { WhyLink } from './why-link.tsx'

const countDays = ({ days }: ReadingMonth) => daysBetween(days.from, days.to)

const formatReceivedUntilSentence = ({ lastDay }: Pick<ReadingMonth, 'lastDay'>) =>
  `Mesures reçues jusqu’au ${formatLongDay(lastDay)}.`

export function ThisMonth({ mine, month }: { mine: OwnSide; month: ReadingMonth }) {
  const { data, error, refetch } = useMonthSummary(mine, month)
  const [supplier, keep] = useSupplierPrice()
  const priced = mine.side === 'consumption' && mine.valued && !mine.battery
  const saving = data && priced ? computeSaving(data.current, supplier) : null
  useEffect(() => {
    if (!data) return
    const sentence = describeMonth(data, mine, month, saving?.cents)
    storeOfflineFigures({ sentence, note: formatReceivedUntilSentence(month), lines: buildFigureLines(data, mine) })
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  return (
    <>
      <SuspendedNotice suspended={data.suspended} mine />
      <MonthHeadline summary={data} mine={mine} month={month} saved={saving?.cents} />
      <WhyLink mine={mine} from={month.days.from} />
      <FigureLines lines={buildFigureLines(data, mine)} label="Chiffres du mois" />
      {priced && <Savings totals={data.current} saving={saving} supplier={supplier} onKeep={keep} />}
    </>
  )
}

const STORAGE_KEY = toStorageKey('supplier_price')

/** The client's own supplier's price, as they read it on their bill: it stays on this device. */
function useSupplierPrice() {
  const [price, setPrice] = useState(() => {
    const stored = Number(readStorage(STORAGE_KEY))
    return Number.isInteger(stored) && stored > 0 ? stored : null
  })
  const savePrice = (next: number) => {
    writeStorage(STORAGE_KEY, String(next))
    setPrice(next)
  }
  return [price, savePrice] as const
}

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
function MonthHeadline({ summary, mine, month, saved }: MonthHeadlineProps) {
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

const RAYS = 40
const CENTRE = 90
const [INNER, OUTER] = [62, 82]

/** A sun with as many bright rays as there was local energy; the sentence beside it says how much, once. */
function LocalShareSun({ share, className }: { share: number; className?: string }) {
  const bright = share > 0 ? Math.max(1, Math.round(share * RAYS)) : 0
  return (
    <svg aria-hidden="true" viewBox="0 0 180 180" className={className}>
      {Array.from({ length: RAYS }, (_, ray) => {
        const angle = (ray / RAYS) * 2 * Math.PI - Math.PI / 2
        const at = (radius: number) => [CENTRE + Math.cos(angle) * radius, CENTRE + Math.sin(angle) * radius] as const
        const [[x1, y1], [x2, y2]] = [at(INNER), at(OUTER)]
        return (
          <line
            key={angle}
            x1={x1}
            y1={y1}
            x2={x2}
            y2={y2}
            strokeWidth="5"
            strokeLinecap="round"
            stroke={ray < bright ? 'var(--data-local)' : '#e7dfd0'}
          />
        )
      })}
      <circle cx={CENTRE} cy={CENTRE} r="48" fill="#fde3b0" />
      <circle cx={CENTRE} cy={CENTRE} r="38" fill="var(--data-local)" />
    </svg>
  )
}
