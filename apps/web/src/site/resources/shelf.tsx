import type { ContentCard } from '@voisol/contract/content'
import type { ComponentType } from 'react'
import { useLoaderData } from 'react-router'
import { Newsletter } from '../forms/newsletter.tsx'
import { Cards } from './cards.tsx'
import { ShelfHeader, ShelfNotice } from './page-header.tsx'
import { Pages } from './pages.tsx'

export type ShelfData = { items: ContentCard[]; total: number } | null

type ShelfProps = {
  eyebrow: string
  title: string
  lead: string
  empty: string
  illustration: ComponentType<{ className?: string }>
  letter?: boolean
}
const TRAIL = [{ label: 'Ressources', href: '/resources' }]

/** A list of what the site publishes, newest first. */
export const shelf = ({ empty, letter, ...head }: ShelfProps) =>
  function Shelf() {
    const data = useLoaderData<ShelfData | undefined>()
    return (
      <>
        <ShelfHeader {...head} trail={TRAIL} />
        <div className="mx-auto max-w-[1248px] px-4 py-14 sm:px-6 lg:py-20">
          {data?.items.length ? <Cards cards={data.items} /> : <ShelfNotice known={Boolean(data)} empty={empty} />}
          {data && <Pages total={data.total} />}
          {letter && (
            <div className="mt-16 max-w-3xl">
              <Newsletter />
            </div>
          )}
        </div>
      </>
    )
  }
