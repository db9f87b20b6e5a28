import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'

export type Heading = { id?: string; eyebrow?: string; title: string; lead?: string }
export type Ground = 'white' | 'soft'

/** A band of a page. The heading names it for those who listen. */
export function Section({
  id,
  eyebrow,
  title,
  lead,
  ground = 'white',
  children,
}: Heading & { ground?: Ground; children?: ReactNode }) {
  return (
    <section id={id} className={cx('scroll-mt-16 py-20 lg:py-28', ground === 'soft' && 'bg-page')}>
      <div className="mx-auto max-w-[1248px] px-4 sm:px-6">
        <div className="max-w-3xl">
          {eyebrow && <Eyebrow>{eyebrow}</Eyebrow>}
          <h2 className="text-3xl font-semibold leading-tight sm:text-4xl">{title}</h2>
          {lead && <p className="prose-width mt-4 text-lg leading-relaxed text-ink-soft text-pretty">{lead}</p>}
        </div>
        {children}
      </div>
    </section>
  )
}

/** A small title above the title, with the sun beside it. */
export const Eyebrow = ({ children }: { children: ReactNode }) => (
  <p className="mb-4 flex items-center gap-2.5 text-[0.9375rem] font-medium text-ink-soft">
    <span aria-hidden="true" className="size-2.5 rounded-full bg-local" />
    {children}
  </p>
)
