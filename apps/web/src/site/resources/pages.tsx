import { Link, useLocation, useSearchParams } from 'react-router'
import { getButtonClass } from '../../ui/button.tsx'
import { CONTENT_PAGE_SIZE } from './page-size.ts'

/** Earlier and later; nothing where one page holds everything. */
export function PageLinks({ total }: { total: number }) {
  const { pathname } = useLocation()
  const [search] = useSearchParams()
  const current = Math.max(1, Number(search.get('page')) || 1)
  const last = Math.ceil(total / CONTENT_PAGE_SIZE)
  if (last < 2) return null
  const to = (page: number) => (page === 1 ? pathname : `${pathname}?page=${page}`)
  return (
    <nav aria-label="Pages" className="mt-12 flex items-center gap-4">
      {current > 1 && (
        <Link to={to(current - 1)} rel="prev" className={getButtonClass({ variant: 'secondary' })}>
          Plus récents
        </Link>
      )}
      <p className="text-ink-soft">
        Page {current} sur {last}
      </p>
      {current < last && (
        <Link to={to(current + 1)} rel="next" className={getButtonClass({ variant: 'secondary' })}>
          Plus anciens
        </Link>
      )}
    </nav>
  )
}
