import { formatRoundedShare } from '@voisol/contract/month-sentences'
import { getOtherSideTexts } from '@voisol/contract/side-texts'
import BatteryCharging from 'lucide-react/icons/battery-charging'
import Sun from 'lucide-react/icons/sun'
import { ButtonLink } from '../../../../components/button.tsx'
import { cardClass } from '../../../../components/card.tsx'
import { cx } from '../../../../components/cx.ts'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { formatEnergy } from '../../../../lib/format.ts'
import { type OwnSide, type ReadingMonth, useMonthSummary } from './my-points.ts'

/** Somebody who consumes and produces hears of the roof in a line; whoever has a battery alone, of what it gave back. */
export function OtherSideSummary({ mine, month }: { mine: OwnSide; month: ReadingMonth }) {
  const { data, error, refetch } = useMonthSummary(mine, month)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-20 w-full" />
  const { produced, selfConsumption } = data.current
  const words = getOtherSideTexts(mine)
  const Icon = mine.battery ? BatteryCharging : Sun
  return (
    <section
      aria-label={words.label}
      className={cx(cardClass, 'flex flex-wrap items-center justify-between gap-x-6 gap-y-4 p-5 sm:px-6')}
    >
      <p className="flex min-w-0 items-center gap-4">
        <span aria-hidden="true" className="grid size-11 shrink-0 place-items-center rounded-full bg-amber-100">
          <Icon className="size-5 text-amber-800" />
        </span>
        <span>
          {words.did} <strong className="font-semibold">{formatEnergy(produced)}</strong> {month.when}
          {selfConsumption === null ? '.' : `, dont ${formatRoundedShare(selfConsumption)} ${words.given}.`}
        </span>
      </p>
      <ButtonLink to="/client-portal/production" variant="secondary">
        {words.open}
      </ButtonLink>
    </section>
  )
}
