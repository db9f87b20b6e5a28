import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { useLayout } from './layout.ts'
import { MarkedText } from './words.tsx'

export type SectionHeadingContent = { id?: string; eyebrow?: string; title: string; lead?: string }
export type Background = 'white' | 'soft'
type BandProps = { id?: string; ground?: Background; className?: string; children: ReactNode }

/** A band of a page, of the width of the site; in a reference, a part of the column beside the contents. */
export function PageBand({ id, ground = 'white', className, children }: BandProps) {
  const layout = useLayout()
  if (layout === 'reference')
    return (
      <section id={id} className="scroll-mt-20 border-line border-t pt-9 pb-11 lg:pt-12 lg:pb-14">
        <div className={className}>{children}</div>
      </section>
    )
  const soft = layout === 'story' && ground === 'soft'
  return (
    <section id={id} className={cx('scroll-mt-16 py-8 sm:py-16 lg:py-24', soft && 'bg-page')}>
      <div className={cx('mx-auto max-w-[1248px] px-4 sm:px-6', className)}>{children}</div>
    </section>
  )
}

/** A small title above the title, with the sun beside it. */
export const Eyebrow = ({ children }: { children: ReactNode }) => (
  <p className="mb-2 flex items-center gap-2.5 text-[0.9375rem] sm:mb-4 font-medium text-ink-soft">
    <span aria-hidden="true" className="size-2.5 rounded-full bg-local" />
    {children}
  </p>
)

const titleClasses = {
  story: 'text-[1.625rem] sm:text-4xl',
  tour: 'text-[1.625rem] sm:text-4xl',
  reference: 'text-2xl sm:text-[1.75rem]',
}

export const SectionTitle = ({ children }: { children: string }) => (
  <h2 className={cx('font-semibold leading-tight text-balance', titleClasses[useLayout()])}>{children}</h2>
)

/** In a reference the contents beside the text already say what an eyebrow would. */
export function SectionHeading({ eyebrow, title, lead }: Omit<SectionHeadingContent, 'id'>) {
  const reference = useLayout() === 'reference'
  return (
    <div className="max-w-3xl">
      {eyebrow && !reference && <Eyebrow>{eyebrow}</Eyebrow>}
      <SectionTitle>{title}</SectionTitle>
      {lead && (
        <p
          className={cx(
            'prose-width mt-2 leading-relaxed text-pretty text-ink-soft sm:mt-3',
            !reference && 'sm:text-lg',
          )}
        >
          <MarkedText text={lead} />
        </p>
      )}
    </div>
  )
}

export const PageSection = ({
  id,
  ground,
  children,
  ...heading
}: SectionHeadingContent & Omit<BandProps, 'className'>) => (
  <PageBand id={id} ground={ground}>
    <SectionHeading {...heading} />
    {children}
  </PageBand>
)
