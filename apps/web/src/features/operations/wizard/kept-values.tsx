import { formatCount } from '../../../lib/format.ts'
import type { KeptValue } from './take-over.ts'

const MAX_SHOWN_VALUES = 20

/** What the file says otherwise than what was typed: the typed value stands, and one may change it. */
export const KeptValues = ({ kept }: { kept: KeptValue[] }) =>
  kept.length > 0 && (
    <div role="status" className="grid gap-2 rounded-card bg-primary-soft p-4 text-body">
      <p className="font-medium">
        {formatCount(
          kept.length,
          'valeur que vous aviez saisie est gardée',
          'valeurs que vous aviez saisies sont gardées',
        )}
      </p>
      <ul className="grid gap-1 text-[0.8125rem]">
        {kept.slice(0, MAX_SHOWN_VALUES).map(({ row, field, typed, said }) => (
          <li key={`${row} ${field}`}>
            {row}, {field.toLowerCase()}&nbsp;: «&nbsp;{typed}&nbsp;» et non «&nbsp;{said}&nbsp;».
          </li>
        ))}
        {kept.length > MAX_SHOWN_VALUES && <li>Et {kept.length - MAX_SHOWN_VALUES} autres.</li>}
      </ul>
    </div>
  )
