import type { Connector } from '@voisol/contract/connections'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'

/** Each kind with what it is good for. */
export const KindChoice = ({ kinds, onChoose }: { kinds: Connector[]; onChoose: (kind: string) => void }) => (
  <ul className="grid gap-3 sm:grid-cols-2">
    {kinds.map(({ kind, label, about }) => (
      <li key={kind} className="grid">
        <button
          type="button"
          onClick={() => onChoose(kind)}
          className={cx(
            cardClass,
            'flex items-start justify-between gap-3 p-4 text-left text-body transition-colors duration-150 hover:border-control hover:bg-page',
          )}
        >
          <span>
            <span className="block font-semibold">{label}</span>
            <span className="mt-1 block text-ink-soft">{about}</span>
          </span>
          <ChevronRight aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-soft" />
        </button>
      </li>
    ))}
  </ul>
)
