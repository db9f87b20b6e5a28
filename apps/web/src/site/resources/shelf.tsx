import type { ContentCard } from '@voisol/contract/content'
import type { ComponentType } from 'react'
import { useLoaderData } from 'react-router'
import { NewsletterForm } from '../forms/newsletter.tsx'
import { ContentCards } from './cards.tsx'
import { ContentListHeader, ContentListNotice } from './page-header.tsx'
import { PageLinks } from './pages.tsx'

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
