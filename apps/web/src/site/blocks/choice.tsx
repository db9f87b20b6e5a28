import Check from 'lucide-react/icons/check'
import { type ComponentType, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { ProductScreenshot, type Screenshot } from './hero.tsx'
import {
  type Background,
  type LinkAction,
  MarkedText,
  MoreLink,
  PageSection,
  type SectionHeadingContent,
} from './section.tsx'

type ChoiceItem = Screenshot & {
  id: string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
  title: string
  text: string
  heading: string
  details: string
  points: string[]
  more: LinkAction
}
type ChoiceContent = SectionHeadingContent & { ground?: Background; legend: string; items: ChoiceItem[] }

/** The chosen one is in the address, so that it can be sent to somebody. */
function useChosenItem(items: ChoiceItem[]) {
  const { hash } = useLocation()
  const [chosen, choose] = useState(items[0]?.id)
  useEffect(() => {
    const named = items.find(({ id }) => `#${id}` === hash)
    if (named) choose(named.id)
  }, [items, hash])
  return [
    chosen,
    (id: string) => {
      choose(id)
      history.replaceState(history.state, '', `#${id}`)
    },
  ] as const
}

function ChoiceDetails({ id, heading, details, points, more, ...picture }: ChoiceItem) {
  return (
    <article
      id={id}
      className="hidden scroll-mt-40 gap-y-8 pt-4 pb-8 peer-checked:grid md:order-2 md:col-span-full md:pt-10 md:pb-0"
    >
      <div className="grid items-start gap-x-16 lg:grid-cols-2">
        <div>
          <h3 className="text-2xl font-semibold">{heading}</h3>
          <p className="mt-3 text-lg leading-relaxed text-ink-soft text-pretty">{details}</p>
        </div>
        <ul className="grid gap-2.5 max-lg:mt-5 lg:mt-1">
          {points.map((point) => (
            <li key={point} className="flex gap-2.5">
              <Check aria-hidden="true" className="mt-1 size-4 text-success" />
              <span>
                <MarkedText text={point} />
              </span>
            </li>
          ))}
        </ul>
        <div className="mt-5">
          <MoreLink {...more} />
        </div>
      </div>
      <ProductScreenshot picture={picture.picture} alt={picture.alt} caption={picture.caption} />
    </article>
  )
}

const cardClass =
  'flex flex-col rounded-card border border-line bg-card p-5 shadow-card transition-colors duration-150 hover:border-control md:order-1 lg:p-6 ' +
  'peer-checked:border-[#f2b544] peer-checked:bg-[#fffaf0] peer-checked:ring-1 peer-checked:ring-[#f2b544] peer-focus-visible:outline-2 peer-focus-visible:outline-ring peer-focus-visible:outline-offset-2'

/** Radio buttons drawn as cards: the arrow keys move between them, and the choice works without script. */
export function ChoiceBlock({ legend, items, ...section }: ChoiceContent) {
  const [chosen, choose] = useChosenItem(items)
  return (
    <PageSection {...section}>
      <fieldset className="mt-8">
        <legend className="sr-only">{legend}</legend>
        <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-4">
          {items.map((item) => (
            <div key={item.id} className="contents">
              <input
                type="radio"
                name="choice"
                id={`choix-${item.id}`}
                checked={chosen === item.id}
                onChange={() => choose(item.id)}
                className="peer sr-only"
              />
              <label htmlFor={`choix-${item.id}`} className={cardClass}>
                <item.icon aria-hidden="true" className="mb-4 size-7 text-consumption" />
                <span className="text-lg font-semibold tracking-tight">{item.title}</span>
                <span className="mt-1 text-[0.9375rem] text-ink-soft text-pretty">{item.text}</span>
              </label>
              <ChoiceDetails {...item} />
            </div>
          ))}
        </div>
      </fieldset>
    </PageSection>
  )
}
