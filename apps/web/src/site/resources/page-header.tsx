import type { ComponentType, ReactNode } from 'react'
import { Link } from 'react-router'
import { Eyebrow } from '../blocks/section.tsx'

type Crumb = { label: string; href: string }
type ContentListHeaderProps = {
  eyebrow: string
  title: string
  lead: string
  trail?: Crumb[]
  illustration?: ComponentType<{ className?: string }>
  children?: ReactNode
}

const separatorClass = "after:ml-2 after:text-ink-muted after:content-['/'] last:after:content-none"

/** From the outermost page to the present one, which is no link. */
export const BreadcrumbTrail = ({ crumbs, here }: { crumbs: Crumb[]; here?: string }) => (
  <nav aria-label="Fil d’Ariane" className="mb-4 text-[0.9375rem]">
    <ol className="flex flex-wrap gap-x-2 text-ink-soft">
      {crumbs.map(({ label, href }) => (
        <li key={href} className={separatorClass}>
          <Link to={href} className="hover:text-ink hover:underline">
            {label}
          </Link>
        </li>
      ))}
      {here && (
        <li aria-current="page" className="font-medium text-ink">
          {here}
        </li>
      )}
    </ol>
  </nav>
)

/** The head of a shelf of the site: what it holds and for whom, beside a drawing. */
export const ContentListHeader = ({
  eyebrow,
  title,
  lead,
  trail,
  illustration: Drawing,
  children,
}: ContentListHeaderProps) => (
  <header className="overflow-hidden bg-page">
    <div className="mx-auto grid max-w-[1248px] items-center gap-x-12 gap-y-8 px-4 py-12 sm:px-6 lg:grid-cols-[7fr_4fr] lg:py-16">
      <div>
        {trail ? <BreadcrumbTrail crumbs={trail} here={eyebrow} /> : <Eyebrow>{eyebrow}</Eyebrow>}
        <h1 className="max-w-3xl text-4xl font-semibold leading-[1.08] text-balance outline-none sm:text-5xl">
          {title}
        </h1>
        <p className="prose-width mt-5 text-lg leading-relaxed text-pretty text-ink-soft">{lead}</p>
        {children}
      </div>
      {Drawing && <Drawing className="mx-auto hidden max-h-[320px] w-full max-w-[420px] lg:block" />}
    </div>
  </header>
)

/** When the shelf could not be read, or holds nothing. */
export const ContentListNotice = ({ known, empty }: { known: boolean; empty: string }) => (
  <p className="rounded-card border border-line bg-page p-6 text-ink-soft">
    {known ? empty : 'Cette page n’a pas pu être lue entièrement. Rechargez-la dans un instant.'}
  </p>
)
