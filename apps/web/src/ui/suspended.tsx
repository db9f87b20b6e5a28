import type { Suspended } from '@voisol/contract/primitives'
import { addDays } from '@voisol/energy/calendar'
import UnplugIcon from 'lucide-react/icons/unplug'
import { meterLine, prm } from '../lib/energy-labels.ts'
import { number, plural } from '../lib/format.ts'
import { meterName } from './gap-words.ts'
import { daysLabel } from './period/label.ts'

const SHOWN = 4

const wordsOf = ({ days, from, to }: Suspended) => `${plural(days, 'jour')}, ${daysLabel(from, addDays(to, -1))}`

/** Meters that took no part in the sharing for want of readings, each by its name: to their own holder, or to who runs the operation. */
export function SuspendedNotice({ suspended, mine = false }: { suspended: Suspended[]; mine?: boolean }) {
  if (suspended.length === 0) return null
  const more = suspended.length - SHOWN
  return (
    <section aria-label="Compteurs sans relevés" className="grid gap-2 rounded-card bg-warning-soft p-4 text-body">
      <p className="flex items-start gap-2 font-medium text-warning">
        <UnplugIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {mine
          ? `${suspended.length < 2 ? 'Votre compteur n’a' : 'Vos compteurs n’ont'} pas transmis tous ${suspended.length < 2 ? 'ses' : 'leurs'} relevés`
          : `${plural(suspended.length, 'compteur')} sans relevés à certains instants`}
      </p>
      <ul className="grid gap-1 pl-6">
        {suspended.slice(0, SHOWN).map((one) => (
          <li key={one.pointId}>
            <span className="font-medium">{meterName(one)}</span>{' '}
            <span className="tabular text-ink-soft">{one.storage ? meterLine(one) : prm(one.prm)}</span>&nbsp;:{' '}
            {wordsOf(one)}
            {!mine && ` (${number(one.steps)} pas)`}
          </li>
        ))}
        {more > 0 && <li>et {plural(more, 'autre', 'autres')}</li>}
      </ul>
      <p className="pl-6 text-ink-soft">
        {mine
          ? 'À ces instants, aucune énergie locale ne vous a été attribuée. Si les relevés arrivent, le calcul pourra être refait.'
          : 'À ces instants, ils n’ont pas pris part au partage\u00a0: il s’est fait, selon la clé, entre ceux dont les relevés sont connus.'}
      </p>
    </section>
  )
}
