import { formatDwellingName } from '@voisol/contract/points'
import type { SuspendedMeter } from '@voisol/contract/primitives'
import { addDays, daysBetween } from '@voisol/energy/calendar'
import UnplugIcon from 'lucide-react/icons/unplug'
import { formatMeterLine, formatPrm } from '../lib/energy-labels.ts'
import { formatCount, formatNumber } from '../lib/format.ts'
import { formatDayRange } from './period/period-labels.ts'

const MAX_SHOWN_METERS = 4

const formatSuspension = ({ days, from, to }: SuspendedMeter) =>
  `${formatCount(days, 'jour')}, ${formatDayRange(from, addDays(to, -1))}`

/** Meters that took no part in the sharing for want of readings, each by its name: to their own holder, or to who runs the operation. */
export function SuspendedNotice({ suspended, mine = false }: { suspended: SuspendedMeter[]; mine?: boolean }) {
  if (suspended.length === 0) return null
  const more = suspended.length - MAX_SHOWN_METERS
  return (
    <section aria-label="Compteurs sans relevés" className="grid gap-2 rounded-card bg-warning-soft p-4 text-body">
      <p className="flex items-start gap-2 font-medium text-warning">
        <UnplugIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {mine
          ? `${suspended.length < 2 ? 'Votre compteur n’a' : 'Vos compteurs n’ont'} pas transmis tous ${suspended.length < 2 ? 'ses' : 'leurs'} relevés`
          : `${formatCount(suspended.length, 'compteur')} sans relevés à certains instants`}
      </p>
      <ul className="grid gap-1 pl-6">
        {suspended.slice(0, MAX_SHOWN_METERS).map((one) => (
          <li key={one.pointId}>
            <span className="font-medium">{getMeterName(one)}</span>{' '}
            <span className="tabular text-ink-soft">{one.storage ? formatMeterLine(one) : formatPrm(one.prm)}</span>
            &nbsp;: {formatSuspension(one)}
            {!mine && ` (${formatNumber(one.steps)} pas)`}
          </li>
        ))}
        {more > 0 && <li>et {formatCount(more, 'autre', 'autres')}</li>}
      </ul>
      <p className="pl-6 text-ink-soft">
        {mine
          ? 'À ces instants, aucune énergie locale ne vous a été attribuée. Si les relevés arrivent, le calcul pourra être refait.'
          : 'À ces instants, ils n’ont pas pris part au partage\u00a0: il s’est fait, selon la clé, entre ceux dont les relevés sont connus.'}
      </p>
    </section>
  )
}

type Gap = { from: string; to: string; steps: number }

export const countGapDays = (gaps: Gap[]) => gaps.reduce((sum, { from, to }) => sum + daysBetween(from, to), 0)
export const countMissingSteps = (gaps: Gap[]) =>
  gaps.reduce((sum, { from, to, steps }) => sum + steps * daysBetween(from, to), 0)

const MAX_NAMED_GAPS = 3

/** « du 6 au 16 mai 2025, le 20 mai 2025 »: neighbours are said as one, the first few by name. */
export function formatGaps(gaps: Gap[]): string {
  const spans: { from: string; to: string }[] = []
  for (const { from, to } of gaps) {
    const last = spans.at(-1)
    if (last?.to === from) last.to = to
    else spans.push({ from, to })
  }
  const namedRanges = spans.slice(0, MAX_NAMED_GAPS).map(({ from, to }) => formatDayRange(from, addDays(to, -1)))
  const more = spans.length - MAX_NAMED_GAPS
  return `${namedRanges.join(', ')}${more > 0 ? ` et ${formatCount(more, 'autre période', 'autres périodes')}` : ''}`
}

/** The dwelling and who lives there; the number of the meter stands beside it. */
export const getMeterName = ({ label, holder }: { label: string; holder: string }) =>
  formatDwellingName(label, holder) || 'Compteur'
