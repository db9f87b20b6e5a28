import type { ContentCard } from '@voisol/contract/content'
import { Link } from 'react-router'
import { plural } from '../../lib/format.ts'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { addressOf } from './address.ts'

const dayFormat = new Intl.DateTimeFormat('fr-FR', { timeZone: 'Europe/Paris', dateStyle: 'long' })
const hourFormat = new Intl.DateTimeFormat('fr-FR', {
  timeZone: 'Europe/Paris',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
})
export const longDay = (instant: string) => dayFormat.format(new Date(instant))
export const dayAndHour = (instant: string) => hourFormat.format(new Date(instant))
export const reading = (minutes: number) => `${plural(minutes, 'minute')} de lecture`

/** What is said of a content beside its title. */
export function factsOf({ kind, startsAt, minutes, publishedAt, readingMinutes }: ContentCard) {
  if (kind === 'webinar' && startsAt) return [dayAndHour(startsAt), ...(minutes ? [plural(minutes, 'minute')] : [])]
  return kind === 'guide' ? [reading(readingMinutes)] : [longDay(publishedAt), reading(readingMinutes)]
}

export const Facts = ({ facts }: { facts: string[] }) => (
  <p data-facts="" className="text-[0.875rem] text-ink-muted first-letter:uppercase">
    {facts.join(' · ')}
  </p>
)

type Level = 2 | 3

const Card = ({ card, level }: { card: ContentCard; level: Level }) => {
  const Title = `h${level}` as const
  return (
    <li
      className={cx(cardClass, 'group relative flex flex-col overflow-hidden transition-colors hover:border-control')}
    >
      {card.image && (
        <img src={card.image.src} alt={card.image.alt} loading="lazy" className="aspect-[16/9] w-full object-cover" />
      )}
      <div className="flex flex-1 flex-col gap-3 p-6">
        <Facts facts={factsOf(card)} />
        <Title className="text-xl leading-snug font-semibold text-balance">
          <Link to={addressOf(card)} className="after:absolute after:inset-0 group-hover:text-primary-ink">
            {card.title}
          </Link>
        </Title>
        <p className="leading-relaxed text-ink-soft">{card.summary}</p>
      </div>
    </li>
  )
}

export const Cards = ({ cards, level = 2 }: { cards: ContentCard[]; level?: Level }) => (
  <ul className={cx('grid gap-6 lg:grid-cols-3', cards.length % 2 === 0 && 'md:grid-cols-2')}>
    {cards.map((card) => (
      <Card key={card.slug} card={card} level={level} />
    ))}
  </ul>
)
