import type { ContentCard } from '@voisol/contract/content'
import type { ComponentType, ReactNode } from 'react'
import { Link } from 'react-router'
import { cardClass } from '../../components/card.tsx'
import { cx } from '../../components/cx.ts'
import { formatCount } from '../../lib/format.ts'
import { Eyebrow } from '../blocks/section.tsx'

const dayFormat = new Intl.DateTimeFormat('fr-FR', { timeZone: 'Europe/Paris', dateStyle: 'long' })
const hourFormat = new Intl.DateTimeFormat('fr-FR', {
  timeZone: 'Europe/Paris',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
})
const formatPublicationDate = (instant: string) => dayFormat.format(new Date(instant))
export const formatDayAndHour = (instant: string) => hourFormat.format(new Date(instant))
export const formatReadingTime = (minutes: number) => `${formatCount(minutes, 'minute')} de lecture`

/** What is said of a content beside its title. */
export function buildContentFacts({ kind, startsAt, minutes, publishedAt, readingMinutes }: ContentCard) {
  if (kind === 'webinar' && startsAt)
    return [formatDayAndHour(startsAt), ...(minutes ? [formatCount(minutes, 'minute')] : [])]
  return kind === 'guide'
    ? [formatReadingTime(readingMinutes)]
    : [formatPublicationDate(publishedAt), formatReadingTime(readingMinutes)]
}

export const ContentFacts = ({ facts }: { facts: string[] }) => (
  <p data-facts="" className="text-[0.875rem] text-ink-muted first-letter:uppercase">
    {facts.join(' · ')}
  </p>
)

type Level = 2 | 3

const ContentCardItem = ({ card, level }: { card: ContentCard; level: Level }) => {
  const Title = `h${level}` as const
  return (
    <li
      className={cx(cardClass, 'group relative flex flex-col overflow-hidden transition-colors hover:border-control')}
    >
      {card.image && (
        <img src={card.image.src} alt={card.image.alt} loading="lazy" className="aspect-[16/9] w-full object-cover" />
      )}
      <div className="flex flex-1 flex-col gap-3 p-6">
        <ContentFacts facts={buildContentFacts(card)} />
        <Title className="text-xl leading-snug font-semibold text-balance">
          <Link to={getContentPath(card)} className="after:absolute after:inset-0 group-hover:text-primary-ink">
            {card.title}
          </Link>
        </Title>
        <p className="leading-relaxed text-ink-soft">{card.summary}</p>
      </div>
    </li>
  )
}

export const ContentCards = ({ cards, level = 2 }: { cards: ContentCard[]; level?: Level }) => (
  <ul className={cx('grid gap-6 lg:grid-cols-3', cards.length % 2 === 0 && 'md:grid-cols-2')}>
    {cards.map((card) => (
      <ContentCardItem key={card.slug} card={card} level={level} />
    ))}
  </ul>
)

const PATHS_BY_KIND: Record<ContentCard['kind'], string> = {
  article: '/resources/actualites',
  webinar: '/resources/webinaires',
  'white-paper': '/white-papers',
  'case-study': '/case-studies',
  faq: '/resources/faq',
  guide: '/user-guide',
  page: '/legal',
}

/** Where a content is read. */
export function getContentPath({ kind, category, slug }: Pick<ContentCard, 'kind' | 'category' | 'slug'>) {
  if (kind === 'faq') return `${PATHS_BY_KIND.faq}#${slug}`
  if (kind === 'guide' && category === 'pratiques') return `/resources/guides/${slug}`
  if (kind === 'page') return ['rgpd', 'accessibilite'].includes(slug) ? `/${slug}` : `/legal/${slug}`
  return `${PATHS_BY_KIND[kind]}/${slug}`
}

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
