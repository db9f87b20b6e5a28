import type { StorageTotals } from '@voisol/contract/energy-totals'
import BatteryCharging from 'lucide-react/icons/battery-charging'
import { cardClass } from '../card.tsx'
import { cx } from '../cx.ts'
import { Figure } from '../figure.tsx'
import { buildStorageLines } from './storage-words.ts'

/** What batteries did, beside what was produced and consumed: the width of the row is theirs. */
export const StorageStrip = ({ storage }: { storage: StorageTotals }) => (
  <section
    aria-label="Batterie"
    className={cx(cardClass, 'col-span-full grid min-w-0 gap-4 p-5 sm:flex sm:flex-wrap sm:items-start sm:gap-x-12')}
  >
    <h2 className="inline-flex items-center gap-2 text-body font-medium text-ink-soft sm:pt-0.5">
      <BatteryCharging aria-hidden="true" className="size-5 text-storage" strokeWidth={1.75} />
      Batterie
    </h2>
    {buildStorageLines(storage).map(({ label, figure, note }) => (
      <dl key={label} className="grid gap-1">
        <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
        <dd>
          <Figure className="text-xl leading-none font-semibold tracking-tight">{figure}</Figure>
          <span className="mt-1 block text-[0.8125rem] text-ink-soft">{note}</span>
        </dd>
      </dl>
    ))}
  </section>
)
