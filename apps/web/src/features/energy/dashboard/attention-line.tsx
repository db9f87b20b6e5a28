import ChevronRight from 'lucide-react/icons/chevron-right'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { cx } from '../../../ui/cx.ts'
import { Link } from '../../../ui/link.tsx'

export type AttentionEntry = { severity: 'info' | 'warning' | 'critical'; title: string; message?: string; url: string }

const SEVERITY_STYLES = {
  critical: { icon: CircleAlert, tone: 'bg-danger-soft text-danger', word: 'Urgent' },
  warning: { icon: TriangleAlert, tone: 'bg-warning-soft text-warning', word: 'À surveiller' },
  info: { icon: Info, tone: 'bg-primary-soft text-primary-ink', word: 'Pour information' },
}

/** One matter, leading to the screen that settles it. */
export function AttentionLine({ severity, title, message, url }: AttentionEntry) {
  const { icon: Icon, tone, word } = SEVERITY_STYLES[severity]
  return (
    <Link
      to={url}
      className="group flex min-h-14 items-center gap-3 rounded-control px-3 py-2.5 text-body text-ink no-underline hover:bg-page"
    >
      <span className={cx('grid size-9 shrink-0 place-items-center rounded-full', tone)}>
        <Icon aria-hidden="true" className="size-[1.125rem]" />
        <span className="sr-only">{word} : </span>
      </span>
      <span className="min-w-0 grow">
        <span className="block font-medium group-hover:text-primary-ink">{title}</span>
        {message && <span className="block text-[0.8125rem] text-ink-soft">{message}</span>}
      </span>
      <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
    </Link>
  )
}
