import { cx } from '../../ui/cx.ts'
import { ActionButtons, type BlockAction } from './actions.tsx'
import { ClaimList } from './claims.tsx'
import { useLayout } from './layout.ts'
import { MarkedText } from './words.tsx'

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
