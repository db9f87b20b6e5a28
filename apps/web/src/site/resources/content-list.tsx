import type { ContentCard } from '@voisol/contract/content'
import type { ComponentType } from 'react'
import { Link, useLoaderData, useLocation, useSearchParams } from 'react-router'
import { getButtonClass } from '../../components/button.tsx'
import { NewsletterForm } from '../forms/site-form.tsx'
import { ContentCards, ContentListHeader, ContentListNotice } from './content-blocks.tsx'
import { CONTENT_PAGE_SIZE } from './page-size.ts'

export type ContentListData = { items: ContentCard[]; total: number } | null

type ContentListProps = {
  eyebrow: string
  title: string
  lead: string
  empty: string
  illustration: ComponentType<{ className?: string }>
  letter?: boolean
}
const RESOURCE_CRUMBS = [{ label: 'Ressources', href: '/resources' }]

/** A list of what the site publishes, newest first. */
export const createContentListPage = ({ empty, letter, ...head }: ContentListProps) =>
  function Shelf() {
    const data = useLoaderData<ContentListData | undefined>()
    return (
      <>
        <ContentListHeader {...head} trail={RESOURCE_CRUMBS} />
        <div className="mx-auto max-w-[1248px] px-4 py-14 sm:px-6 lg:py-20">
          {data?.items.length ? (
            <ContentCards cards={data.items} />
          ) : (
            <ContentListNotice known={Boolean(data)} empty={empty} />
          )}
          {data && <PageLinks total={data.total} />}
          {letter && (
            <div className="mt-16 max-w-3xl">
              <NewsletterForm />
            </div>
          )}
        </div>
      </>
    )
  }

/** Earlier and later; nothing where one page holds everything. */
function PageLinks({ total }: { total: number }) {
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
