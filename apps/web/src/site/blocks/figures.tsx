import { type Ground, type Heading, Section } from './section.tsx'

export type FiguresContent = Heading & {
  kind: 'figures'
  ground?: Ground
  items: { prefix?: string; figure: string; unit?: string; label: string }[]
  note?: string
}

export const Figures = ({ items, note, kind, ...section }: FiguresContent) => (
  <Section {...section}>
    <dl className="mt-12 grid grid-cols-2 gap-x-6 gap-y-10 lg:grid-cols-4">
      {items.map(({ prefix, figure, unit, label }) => (
        <div key={`${prefix} ${label}`} className="flex flex-col-reverse justify-end border-line border-l pl-5">
          <dt className="mt-1 text-[0.9375rem] text-ink-soft text-pretty">{label}</dt>
          <dd className="tabular text-3xl font-semibold tracking-tight sm:text-4xl">
            {prefix && <span className="block text-sm font-normal tracking-normal text-ink-soft">{prefix} </span>}
            {figure}
            {unit && <span className="text-xl font-normal text-ink-soft sm:text-2xl"> {unit}</span>}
          </dd>
        </div>
      ))}
    </dl>
    {note && <p className="prose-width mt-10 text-sm text-ink-soft">{note}</p>}
  </Section>
)
