import type { ComponentType } from 'react'
import { ActionButtons, type BlockAction, Eyebrow, useLayout } from './section.tsx'

/** Width and height of the screen, then of the same screen on a telephone. */
const screenshots = {
  'a-traiter': [1404, 753, 764, 940],
  comparaison: [1404, 774, 764, 940],
  completude: [1404, 991, 764, 940],
  courbes: [1404, 960, 764, 940],
  etude: [1476, 1140, 764, 940],
  operation: [1476, 688, 764, 940],
  perimetre: [1404, 1050, 764, 940],
  portail: [1404, 741, 764, 940],
  production: [1404, 1140, 764, 940],
  repartition: [1404, 1140, 764, 940],
} as const

export type Screenshot = { picture: keyof typeof screenshots; alt: string; caption?: string }

/** A real screen of the demonstration, in a plain frame; its place is kept while it loads. */
export function ProductScreenshot({
  picture,
  alt,
  caption,
  eager,
  className,
}: Screenshot & { eager?: true; className?: string }) {
  const [width, height, phoneWidth, phoneHeight] = screenshots[picture]
  return (
    <figure className={className}>
      <picture>
        <source
          media="(max-width: 639px)"
          srcSet={`/product/${picture}-telephone.webp`}
          width={phoneWidth}
          height={phoneHeight}
        />
        <img
          src={`/product/${picture}.webp`}
          width={width}
          height={height}
          alt={alt}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          className="h-auto w-full rounded-card border border-line bg-page shadow-card"
        />
      </picture>
      {caption && <figcaption className="mt-3 text-sm text-ink-soft">{caption}</figcaption>}
    </figure>
  )
}

export type HeroContent = {
  kind: 'hero'
  eyebrow: string
  title: string
  lead: string
  /** What to do first, and what else: a third choice would be one too many. */
  actions: [BlockAction] | [BlockAction, BlockAction]
  note?: string
  /** A tour begins with a large screen instead of a drawing. */
  illustration?: ComponentType<{ className?: string }>
  picture?: Screenshot
}

/** Whom the page is for and what changes, beside a drawing that shows it. */
const StoryHero = ({ eyebrow, title, lead, actions, note, illustration: Illustration }: HeroContent) => (
  <section className="overflow-hidden bg-page">
    <div className="mx-auto grid max-w-[1248px] items-center gap-x-12 gap-y-6 px-4 pt-8 pb-8 sm:px-6 sm:pt-10 sm:pb-16 lg:min-h-[560px] lg:grid-cols-[5fr_6fr] lg:py-16">
      <div className="max-w-xl">
        <Eyebrow>{eyebrow}</Eyebrow>
        <h1 className="text-4xl font-semibold leading-[1.08] text-balance outline-none sm:text-5xl xl:text-[3.5rem]">
          {title}
        </h1>
        <p className="mt-5 mb-7 text-lg leading-relaxed text-ink-soft text-pretty sm:text-xl">{lead}</p>
        <ActionButtons actions={actions} />
        {note && <p className="mt-5 text-sm text-ink-soft">{note}</p>}
      </div>
      {Illustration && (
        <Illustration className="mx-auto max-h-[235px] w-full max-w-[680px] sm:max-h-[420px] lg:max-h-[600px]" />
      )}
    </div>
  </section>
)

/** The title over the whole width, and what it speaks of below, as large as the page allows. */
const TourHero = ({ eyebrow, title, lead, actions, note, illustration: Illustration, picture }: HeroContent) => (
  <section className="border-[#fdebc8] border-b bg-[#fffaf0]">
    <div className="mx-auto max-w-[1248px] px-4 pt-10 pb-10 sm:px-6 sm:pb-14 lg:pt-20">
      <Eyebrow>{eyebrow}</Eyebrow>
      <div className="grid items-end gap-x-14 gap-y-5 lg:grid-cols-[6fr_5fr]">
        <h1 className="text-4xl font-semibold leading-[1.06] text-balance outline-none sm:text-5xl xl:text-6xl">
          {title}
        </h1>
        <div>
          <p className="mb-6 text-lg leading-relaxed text-ink-soft text-pretty">{lead}</p>
          <ActionButtons actions={actions} />
          {note && <p className="mt-4 text-sm text-ink-soft">{note}</p>}
        </div>
      </div>
      {picture && <ProductScreenshot {...picture} eager className="mt-10 lg:mt-14" />}
      {!picture && Illustration && <Illustration className="mx-auto mt-10 max-h-[440px] w-full max-w-[900px]" />}
    </div>
  </section>
)

/** Short, so that what is looked up comes at once. */
const ReferenceHero = ({ eyebrow, title, lead, actions, note, illustration: Illustration }: HeroContent) => (
  <header className="border-line border-b bg-white">
    <div className="mx-auto grid max-w-[1248px] items-center gap-x-16 px-4 py-10 sm:px-6 lg:grid-cols-[1fr_auto] lg:py-12">
      <div>
        <Eyebrow>{eyebrow}</Eyebrow>
        <h1 className="max-w-3xl text-[2rem] font-semibold leading-[1.12] text-balance outline-none sm:text-[2.75rem]">
          {title}
        </h1>
        <p className="prose-width mt-4 mb-6 text-lg leading-relaxed text-ink-soft text-pretty">{lead}</p>
        <ActionButtons actions={actions} />
        {note && <p className="mt-4 text-sm text-ink-soft">{note}</p>}
      </div>
      {Illustration && <Illustration className="h-auto max-h-[260px] w-[300px] max-lg:hidden" />}
    </div>
  </header>
)

const heroesByLayout = { story: StoryHero, tour: TourHero, reference: ReferenceHero }

export function Hero(content: HeroContent) {
  const HeroLayout = heroesByLayout[useLayout()]
  return <HeroLayout {...content} />
}
