import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'

export type Heading = { id?: string; eyebrow?: string; title: string; lead?: string }
export type Ground = 'white' | 'soft'
type BandProps = { id?: string; ground?: Ground; className?: string; children: ReactNode }

/** A band of a page, of the width of the site. */
export const Band = ({ id, ground = 'white', className, children }: BandProps) => (
  <section id={id} className={cx('scroll-mt-16 py-16 lg:py-28', ground === 'soft' && 'bg-page')}>
    <div className={cx('mx-auto max-w-[1248px] px-4 sm:px-6', className)}>{children}</div>
  </section>
)

/** A small title above the title, with the sun beside it. */
export const Eyebrow = ({ children }: { children: ReactNode }) => (
  <p className="mb-4 flex items-center gap-2.5 text-[0.9375rem] font-medium text-ink-soft">
    <span aria-hidden="true" className="size-2.5 rounded-full bg-local" />
    {children}
  </p>
)

export const Titles = ({ eyebrow, title, lead }: Omit<Heading, 'id'>) => (
  <div className="max-w-3xl">
    {eyebrow && <Eyebrow>{eyebrow}</Eyebrow>}
    <h2 className="text-3xl font-semibold leading-tight sm:text-4xl">{title}</h2>
    {lead && <p className="prose-width mt-4 text-lg leading-relaxed text-pretty text-ink-soft">{lead}</p>}
  </div>
)

export const Section = ({ id, ground, children, ...heading }: Heading & Omit<BandProps, 'className'>) => (
  <Band id={id} ground={ground}>
    <Titles {...heading} />
    {children}
  </Band>
)
