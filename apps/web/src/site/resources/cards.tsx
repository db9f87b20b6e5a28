import type { ContentCard } from '@voisol/contract/content'
import { Link } from 'react-router'
import { formatCount } from '../../lib/format.ts'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { getContentPath } from './address.ts'

const dayFormat = new Intl.DateTimeFormat('fr-FR', { timeZone: 'Europe/Paris', dateStyle: 'long' })
const hourFormat = new Intl.DateTimeFormat('fr-FR', {
  timeZone: 'Europe/Paris',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
})
export const formatPublicationDate = (instant: string) => dayFormat.format(new Date(instant))
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
