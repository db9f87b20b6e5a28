import type { ComponentType } from 'react'
import { type Action, Actions } from './actions.tsx'
import { Eyebrow } from './section.tsx'

export type HeroContent = {
  kind: 'hero'
  eyebrow: string
  title: string
  lead: string
  actions: Action[]
  note?: string
  illustration: ComponentType<{ className?: string }>
}

/** Whom the page is for and what changes, beside a drawing that shows it. */
export const Hero = ({ eyebrow, title, lead, actions, note, illustration: Illustration }: HeroContent) => (
  <section className="overflow-hidden bg-page">
    <div className="mx-auto grid max-w-[1248px] items-center gap-x-12 gap-y-10 px-4 pt-12 pb-16 sm:px-6 lg:min-h-[600px] lg:grid-cols-[5fr_6fr] lg:py-16">
      <div className="max-w-xl">
        <Eyebrow>{eyebrow}</Eyebrow>
        <h1 className="text-4xl font-semibold leading-[1.08] outline-none sm:text-5xl xl:text-[3.5rem]">{title}</h1>
        <p className="mt-6 mb-8 text-lg leading-relaxed text-ink-soft text-pretty sm:text-xl">{lead}</p>
        <Actions actions={actions} />
        {note && <p className="mt-5 text-sm text-ink-soft">{note}</p>}
      </div>
      <Illustration className="mx-auto max-h-[620px] w-full max-w-[680px]" />
    </div>
  </section>
)
