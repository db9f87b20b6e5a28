import { type Background, PageSection, type SectionHeadingContent } from './section.tsx'

export type DatesContent = SectionHeadingContent & {
  ground?: Background
  items: { date: string; title: string; text: string; source?: string }[]
  note?: string
}

/** What changed, and since when. */
export const ChangeTimeline = ({ items, note, ...section }: DatesContent) => (
  <PageSection {...section}>
    <ol className="mt-8 border-line border-l-2">
      {items.map(({ date, title, text, source }) => (
        <li
          key={`${date} ${title}`}
          className="relative grid gap-x-8 gap-y-1 pb-9 pl-7 last:pb-0 md:grid-cols-[12rem_1fr]"
        >
          <span
            aria-hidden="true"
            className="absolute top-1.5 -left-[7px] size-3 rounded-full border-2 border-white bg-local"
          />
          <p className="font-medium text-ink-soft">{date}</p>
          <div className="prose-width">
            <h3 className="text-lg font-semibold">{title}</h3>
            <p className="mt-1 leading-relaxed text-ink-soft text-pretty">{text}</p>
            {source && <p className="mt-1.5 text-sm text-ink-soft">{source}</p>}
          </div>
        </li>
      ))}
    </ol>
    {note && <p className="prose-width mt-10 text-sm text-ink-soft">{note}</p>}
  </PageSection>
)
