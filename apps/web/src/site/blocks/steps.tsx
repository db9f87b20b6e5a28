import { cx } from '../../ui/cx.ts'
import { type LinkAction, More } from './actions.tsx'
import { type Ground, type Heading, Section } from './section.tsx'

export type StepsContent = Heading & {
  kind: 'steps'
  ground?: Ground
  items: { title: string; text: string }[]
  more?: LinkAction
}

/** How it goes, in three or four steps. */
export const Steps = ({ items, kind, more, ...section }: StepsContent) => (
  <Section {...section}>
    <ol
      className={cx(
        'mt-12 grid gap-x-8 gap-y-10 sm:grid-cols-2',
        items.length === 3 ? 'lg:grid-cols-3' : 'lg:grid-cols-4',
      )}
    >
      {items.map(({ title, text }, index) => (
        <li key={title} className="border-local border-t-2 pt-5">
          <p aria-hidden="true" className="tabular text-sm font-medium text-ink-soft">
            {index + 1}
          </p>
          <h3 className="mt-2 text-lg font-semibold">{title}</h3>
          <p className="mt-2 leading-relaxed text-ink-soft">{text}</p>
        </li>
      ))}
    </ol>
    {more && (
      <div className="mt-8">
        <More {...more} />
      </div>
    )}
  </Section>
)
