import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { formatNumber } from '../lib/format.ts'
import { Button } from './button.tsx'

type PaginationProps = { label: string; page: number; size: number; total: number; onPage: (page: number) => void }

/** « 26 à 50 sur 1 204 », with the pages before and after. */
export function Pagination({ label, page, size, total, onPage }: PaginationProps) {
  const last = Math.max(1, Math.ceil(total / size))
  const from = total === 0 ? 0 : (page - 1) * size + 1
  return (
    <nav
      aria-label={`Pages\u00a0: ${label}`}
      className="flex flex-wrap items-center justify-between gap-3 text-body text-ink-soft"
    >
      <p className="tabular">
        {formatNumber(from)} à {formatNumber(Math.min(page * size, total))} sur {formatNumber(total)}
      </p>
      <div className="flex items-center gap-2">
        <Button
          variant="secondary"
          size="small"
          icon={<ChevronLeft aria-hidden="true" />}
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        >
          Précédente
        </Button>
        <span className="tabular px-1">
          Page {formatNumber(page)} sur {formatNumber(last)}
        </span>
        <Button variant="secondary" size="small" disabled={page >= last} onClick={() => onPage(page + 1)}>
          Suivante
          <ChevronRight aria-hidden="true" />
        </Button>
      </div>
    </nav>
  )
}
