import ArrowRight from 'lucide-react/icons/arrow-right'
import { createContext, type ReactNode, useContext } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '../../components/button.tsx'
import { cx } from '../../components/cx.ts'
import { BookingButton } from '../booking/booking-button.tsx'
import { isKnownPath } from '../links.ts'
import { SimulatorButton } from '../simulator/simulator-button.tsx'

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

/**
 * How a page is laid out: a story is told from a drawing downwards, a tour walks past large screens of the product, a
 * reference is looked up beside its contents.
 */
export type Layout = 'story' | 'tour' | 'reference'

const LayoutContext = createContext<Layout>('story')
export const LayoutProvider = LayoutContext.Provider
export const useLayout = () => useContext(LayoutContext)

/** What nothing measures yet, and what is not in service yet: each is said where it is named. The footer explains both. */
const MARK_PATTERN = / \[(objectif|à venir)\]/

export const removeMarks = (text: string) => text.replace(new RegExp(MARK_PATTERN, 'g'), '')

const ClaimMark = ({ children }: { children: string }) => (
  <span className="ml-0.5 inline-block rounded-full border border-line-strong px-1.5 align-[0.12em] text-[0.6875rem] font-medium leading-[1.125rem] tracking-normal text-ink-soft">
    {children}
  </span>
)

/** What ends a clause stays with the mark before it. */
const CLAUSE_END = /^[\u00a0]?[.,:;]/

/** A text of a page, in which `[objectif]` and `[à venir]` are drawn as a small mark. */
export function MarkedText({ text }: { text: string }) {
  // Splitting by an expression with a group keeps what the group held: every second part is a mark.
  const parts = text.split(MARK_PATTERN)
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <span key={index}>
        {' '}
        <span className="whitespace-nowrap">
          <ClaimMark>{part}</ClaimMark>
          {CLAUSE_END.exec(parts[index + 1] ?? '')?.[0]}
        </span>
      </span>
    ) : (
      part.replace(index > 0 ? CLAUSE_END : /^$/, '')
    ),
  )
}

export type LinkAction = { label: string; href: string }
type OpenAction = { label: string; opens: 'booking' | 'simulator' }
export type BlockAction = LinkAction | OpenAction

type ActionStyle = { variant: 'primary' | 'secondary' }

function ActionButton({ variant, ...action }: BlockAction & ActionStyle) {
  if ('href' in action)
    return (
      <ButtonLink to={action.href} size="large" variant={variant}>
        {action.label}
      </ButtonLink>
    )
  const Opener = action.opens === 'booking' ? BookingButton : SimulatorButton
  return <Opener label={action.label} variant={variant} />
}

/** The first one weighs most; those that lead nowhere yet are left out. */
export function ActionButtons({ actions }: { actions: readonly BlockAction[] }) {
  const shown = actions.filter((action) => 'opens' in action || isKnownPath(action.href))
  return (
    <div className="flex flex-wrap gap-3 max-sm:flex-col">
      {shown.map((action, index) => (
        <ActionButton key={action.label} {...action} variant={index === 0 ? 'primary' : 'secondary'} />
      ))}
    </div>
  )
}

/** A quiet link at the end of a card; nothing where its page does not exist yet. */
export function MoreLink({ label, href }: LinkAction) {
  if (!isKnownPath(href)) return null
  return (
    <Link to={href} className="inline-flex min-h-8 items-center gap-1.5 font-medium text-primary-ink hover:underline">
      {label}
      <ArrowRight aria-hidden="true" className="size-4" />
    </Link>
  )
}
