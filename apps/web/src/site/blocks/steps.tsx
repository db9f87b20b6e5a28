import { cx } from '../../ui/cx.ts'
import { type LinkAction, MoreLink } from './actions.tsx'
import { useLayout } from './layout.ts'
import { type Background, PageBand, PageSection, SectionHeading, type SectionHeadingContent } from './section.tsx'
import { MarkedText } from './words.tsx'

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
