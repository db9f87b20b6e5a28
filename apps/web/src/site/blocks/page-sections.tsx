import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import type { ComponentType } from 'react'
import { Link } from 'react-router'
import { cx } from '../../components/cx.ts'
import { ProductScreenshot, type Screenshot } from './hero.tsx'
import {
  ActionButtons,
  type Background,
  type BlockAction,
  Eyebrow,
  type LinkAction,
  MarkedText,
  MoreLink,
  PageBand,
  PageSection,
  SectionHeading,
  type SectionHeadingContent,
  SectionTitle,
  useLayout,
} from './section.tsx'

export type AnchorsContent = { kind: 'anchors'; items: { id: string; label: string }[] }

/** The way to the parts of a long page. */
export const AnchorLinks = ({ items }: AnchorsContent) => (
  <nav aria-label="Dans cette page" data-print="hide" className="border-line border-y bg-white">
    <ul className="mx-auto flex max-w-[1248px] flex-wrap gap-x-8 px-4 py-2 sm:px-6">
      {items.map(({ id, label }) => (
        <li key={id}>
          <Link
            to={{ hash: id }}
            className="inline-flex min-h-11 items-center font-medium text-ink-soft hover:text-ink hover:underline"
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)

type ContentsEntry = { id: string; label: string }

/** The parts of a page that is looked up: beside them on a large window, above them on a small one. */
export const PageContents = ({ parts }: { parts: ContentsEntry[] }) => (
  <nav
    aria-label="Dans cette page"
    data-print="hide"
    className="self-start max-lg:pt-5 max-sm:hidden lg:sticky lg:top-20 lg:py-12"
  >
    <p className="mb-2 text-sm font-medium text-ink max-lg:sr-only">Dans cette page</p>
    <ul className="text-[0.9375rem] max-lg:flex max-lg:flex-wrap max-lg:gap-x-5 lg:border-line lg:border-l">
      {parts.map(({ id, label }) => (
        <li key={id}>
          <Link
            to={{ hash: id }}
            className="inline-flex min-h-9 items-center py-1 leading-snug text-ink-soft hover:text-ink hover:underline lg:px-4"
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)

export type CallToActionContent = {
  kind: 'call'
  title: string
  text: string
  actions: [BlockAction] | [BlockAction, BlockAction]
  claims?: string[]
}

const frameClasses = {
  story:
    'mx-auto max-w-[1200px] rounded-card border border-[#fbd38a] bg-[#fffaf0] px-5 py-7 sm:px-12 sm:py-10 lg:py-14',
  tour: 'mx-auto max-w-[1200px] border-line-strong border-t-2 pt-10 lg:pt-14',
  reference: 'rounded-card bg-page px-5 py-7 sm:px-8 sm:py-9',
}
const bandClasses = {
  story: 'px-4 py-8 sm:px-6 sm:py-16 lg:py-24',
  tour: 'px-4 pb-14 sm:px-6 lg:pb-24',
  reference: 'pb-4',
}

/** What to do next. */
export function CallToActionBlock({ title, text, actions, claims = [] }: CallToActionContent) {
  const layout = useLayout()
  return (
    <section className={bandClasses[layout]}>
      <div className={cx('grid gap-x-12 gap-y-7 lg:grid-cols-[1fr_auto] lg:items-center', frameClasses[layout])}>
        <div className="max-w-2xl">
          <h2
            className={cx(
              'font-semibold leading-tight',
              layout === 'reference' ? 'text-2xl' : 'text-[1.625rem] sm:text-3xl',
            )}
          >
            {title}
          </h2>
          <p className="mt-2 leading-relaxed sm:mt-3 sm:text-lg text-ink-soft text-pretty">
            <MarkedText text={text} />
          </p>
          {claims.length > 0 && (
            <ClaimList claims={claims} className="mt-4 flex flex-wrap gap-x-6 gap-y-1.5 text-[0.9375rem]" />
          )}
        </div>
        <ActionButtons actions={actions} />
      </div>
    </section>
  )
}

/** What is promised, each behind its tick. */
export const ClaimList = ({ claims, className }: { claims: string[]; className: string }) => (
  <ul className={className}>
    {claims.map((claim) => (
      <li key={claim} className="flex items-center gap-2">
        <Check aria-hidden="true" className="size-4 text-success" />
        <span>
          <MarkedText text={claim} />
        </span>
      </li>
    ))}
  </ul>
)

export type FaqContent = SectionHeadingContent & {
  kind: 'faq'
  ground?: Background
  items: { question: string; answer: string }[]
}

/** Opens without script. */
export const Faq = ({ items, id, ground, ...heading }: FaqContent) => (
  <PageBand
    id={id}
    ground={ground}
    className={cx('grid gap-x-16 gap-y-7', useLayout() !== 'reference' && 'lg:grid-cols-[1fr_2fr]')}
  >
    <SectionHeading {...heading} />
    <div className="divide-y divide-line border-line border-y">
      {items.map(({ question, answer }) => (
        <details key={question} className="group">
          <summary className="flex min-h-14 list-none items-center justify-between gap-6 py-4 text-lg font-medium [&::-webkit-details-marker]:hidden">
            {question}
            <ChevronDown
              aria-hidden="true"
              className="size-5 text-ink-soft transition-transform duration-150 group-open:rotate-180"
            />
          </summary>
          <p className="prose-width pb-6 leading-relaxed text-ink-soft">
            <MarkedText text={answer} />
          </p>
        </details>
      ))}
    </div>
  </PageBand>
)

type Step = { title: string; text: string }
export type StepsContent = SectionHeadingContent & {
  kind: 'steps'
  ground?: Background
  items: Step[]
  more?: LinkAction
}

const StepsLink = ({ more }: Pick<StepsContent, 'more'>) =>
  more ? (
    <div className="mt-6 sm:mt-8">
      <MoreLink {...more} />
    </div>
  ) : null

const StepColumns = ({ items }: { items: Step[] }) => (
  <ol
    className={cx(
      'mt-8 grid gap-x-8 gap-y-7 sm:mt-10 sm:grid-cols-2',
      items.length === 3 ? 'sm:grid-cols-1 lg:grid-cols-3' : 'lg:grid-cols-4',
    )}
  >
    {items.map(({ title, text }, index) => (
      <li key={title} className="border-local border-t-2 pt-4">
        <p aria-hidden="true" className="tabular text-sm font-medium text-ink-soft">
          {index + 1}
        </p>
        <h3 className="mt-1 text-lg font-semibold">
          <MarkedText text={title} />
        </h3>
        <p className="mt-1.5 leading-relaxed text-ink-soft">
          <MarkedText text={text} />
        </p>
      </li>
    ))}
  </ol>
)

const StepList = ({ items }: { items: Step[] }) => (
  <ol className="grid">
    {items.map(({ title, text }, index) => (
      <li key={title} className="group relative grid grid-cols-[2.25rem_minmax(0,1fr)] gap-x-4 pb-7 last:pb-0">
        <span
          aria-hidden="true"
          className="absolute top-9 bottom-0 left-[1.0625rem] w-0.5 bg-[#fbd38a] group-last:hidden"
        />
        <span
          aria-hidden="true"
          className="tabular grid size-9 place-items-center rounded-full border border-[#fbd38a] bg-[#fffaf0] text-sm font-semibold text-[#92400e]"
        >
          {index + 1}
        </span>
        <div className="pt-1">
          <h3 className="text-lg font-semibold">
            <MarkedText text={title} />
          </h3>
          <p className="prose-width mt-1 leading-relaxed text-ink-soft">
            <MarkedText text={text} />
          </p>
        </div>
      </li>
    ))}
  </ol>
)

/** How it goes, in three or four steps: side by side in a story, one below the other elsewhere. */
export function StepsBlock({ items, kind, more, ...section }: StepsContent) {
  const layout = useLayout()
  if (layout === 'story')
    return (
      <PageSection {...section}>
        <StepColumns items={items} />
        <StepsLink more={more} />
      </PageSection>
    )
  const { id, ground, ...heading } = section
  return (
    <PageBand
      id={id}
      ground={ground}
      className={cx('grid gap-x-16 gap-y-8', layout === 'tour' && 'lg:grid-cols-[5fr_7fr]')}
    >
      <SectionHeading {...heading} />
      <div>
        <StepList items={items} />
        <StepsLink more={more} />
      </div>
    </PageBand>
  )
}

export type StoryContent = Omit<SectionHeadingContent, 'lead'> & {
  kind: 'story'
  ground?: Background
  paragraphs: string[]
  points?: { term: string; text: string }[]
  more?: LinkAction
  illustration?: ComponentType<{ className?: string }>
  picture?: Screenshot
  side?: 'left' | 'right'
}

const TermList = ({ points }: { points: NonNullable<StoryContent['points']> }) => (
  <dl className="mt-6 divide-y divide-line border-line border-y">
    {points.map(({ term, text }) => (
      <div key={term} className="grid gap-x-6 gap-y-1 py-3.5 sm:grid-cols-[11rem_minmax(0,1fr)]">
        <dt className="font-medium">
          <MarkedText text={term} />
        </dt>
        <dd className="text-ink-soft">
          <MarkedText text={text} />
        </dd>
      </div>
    ))}
  </dl>
)

type TitleProps = Pick<StoryContent, 'eyebrow' | 'title'>
const StoryTitle = ({ eyebrow, title }: TitleProps) => {
  const reference = useLayout() === 'reference'
  return (
    <div>
      {eyebrow && !reference && <Eyebrow>{eyebrow}</Eyebrow>}
      <SectionTitle>{title}</SectionTitle>
    </div>
  )
}

const Paragraphs = ({ paragraphs }: Pick<StoryContent, 'paragraphs'>) => {
  const large = useLayout() !== 'reference' && 'text-lg'
  return paragraphs.map((paragraph) => (
    <p key={paragraph} className={cx('mt-4 leading-relaxed text-ink-soft text-pretty', large)}>
      <MarkedText text={paragraph} />
    </p>
  ))
}

const StoryFooter = ({ points, more }: Pick<StoryContent, 'points' | 'more'>) => (
  <>
    {points && <TermList points={points} />}
    {more && (
      <div className="mt-5">
        <MoreLink {...more} />
      </div>
    )}
  </>
)

/** The words in two columns, and below them the screen they speak of, as large as the page allows. */
const StoryWithScreenshot = ({ id, ground, eyebrow, title, paragraphs, points, more, picture }: StoryContent) => (
  <PageBand id={id} ground={ground}>
    <div className={cx('grid gap-x-16', useLayout() !== 'reference' && 'lg:grid-cols-[5fr_7fr]')}>
      <StoryTitle eyebrow={eyebrow} title={title} />
      <div className="prose-width lg:-mt-4">
        <Paragraphs paragraphs={paragraphs} />
        <StoryFooter points={points} more={more} />
      </div>
    </div>
    {picture && <ProductScreenshot {...picture} className="mt-8 lg:mt-12" />}
  </PageBand>
)

/** Prose of a comfortable width with, beside it, a drawing or else its terms; below it, a screen of the product. */
export function StoryBlock(content: StoryContent) {
  const reference = useLayout() === 'reference'
  const { id, ground, eyebrow, title, paragraphs, points, more, illustration: Illustration, picture, side } = content
  if (picture) return <StoryWithScreenshot {...content} />
  if (!Illustration || reference)
    return (
      <PageBand id={id} ground={ground} className={cx('grid gap-x-20', !reference && 'lg:grid-cols-[5fr_7fr]')}>
        <div className="prose-width">
          <StoryTitle eyebrow={eyebrow} title={title} />
          <Paragraphs paragraphs={paragraphs} />
        </div>
        <div className={reference ? 'max-w-3xl' : 'lg:-mt-6'}>
          <StoryFooter points={points} more={more} />
        </div>
      </PageBand>
    )
  return (
    <PageBand id={id} ground={ground} className="grid items-center gap-x-20 gap-y-8 lg:grid-cols-2">
      <div className="prose-width">
        <StoryTitle eyebrow={eyebrow} title={title} />
        <Paragraphs paragraphs={paragraphs} />
        <StoryFooter points={points} more={more} />
      </div>
      <Illustration
        className={cx(
          'mx-auto max-h-[240px] w-full max-w-[440px] sm:max-h-[460px]',
          side === 'left' && 'lg:order-first',
        )}
      />
    </PageBand>
  )
}
