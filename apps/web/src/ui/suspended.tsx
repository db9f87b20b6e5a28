import type { SuspendedMeter } from '@voisol/contract/primitives'
import { addDays } from '@voisol/energy/calendar'
import UnplugIcon from 'lucide-react/icons/unplug'
import { formatMeterLine, formatPrm } from '../lib/energy-labels.ts'
import { formatCount, formatNumber } from '../lib/format.ts'
import { getMeterName } from './gap-words.ts'
import { formatDayRange } from './period/label.ts'

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
