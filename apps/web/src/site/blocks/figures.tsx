import { type Background, PageSection, type SectionHeadingContent } from './section.tsx'
import { MarkedText } from './words.tsx'

export type FiguresContent = SectionHeadingContent & {
  kind: 'figures'
  ground?: Background
  items: { prefix?: string; figure: string; unit?: string; label: string }[]
  note?: string
}

export const KeyFigures = ({ items, note, kind, ...section }: FiguresContent) => (
  <PageSection {...section}>
    <dl className="mt-5 grid grid-cols-2 gap-x-6 gap-y-5 sm:mt-10 sm:gap-y-9 lg:grid-cols-4">
      {items.map(({ prefix, figure, unit, label }) => (
        <div key={`${prefix} ${label}`} className="flex flex-col-reverse justify-end border-line border-l pl-4 sm:pl-5">
          <dt className="mt-1 text-sm leading-snug text-ink-soft text-pretty sm:text-[0.9375rem]">
            <MarkedText text={label} />
          </dt>
          <dd className="tabular text-2xl font-semibold tracking-tight sm:text-4xl">
            {prefix && <span className="text-sm font-normal tracking-normal text-ink-soft sm:block">{prefix} </span>}
            <span className="whitespace-nowrap">
              {figure}
              {unit && <span className="text-xl font-normal text-ink-soft sm:text-2xl"> {unit}</span>}
            </span>
          </dd>
        </div>
      ))}
    </dl>
    {note && (
      <p className="prose-width mt-6 text-[0.8125rem] sm:text-sm text-ink-soft">
        <MarkedText text={note} />
      </p>
    )}
  </PageSection>
)
