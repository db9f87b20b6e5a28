import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '../../ui/cx.ts'

const NOTICE_STYLES = {
  info: { icon: Info, box: 'border-line bg-page text-ink', mark: 'text-ink-soft' },
  success: { icon: CircleCheck, box: 'border-success/25 bg-success-soft text-ink', mark: 'text-success' },
  danger: { icon: TriangleAlert, box: 'border-danger/30 bg-danger-soft text-ink', mark: 'text-danger' },
}

type AuthNoticeProps = { tone: keyof typeof NOTICE_STYLES; children: ReactNode; focused?: boolean }

/** Something to read before going on; `focused` takes the keyboard there. */
export function AuthNotice({ tone, children, focused = false }: AuthNoticeProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focused) box.current?.focus()
  }, [focused])
  const { icon: Icon, box: look, mark } = NOTICE_STYLES[tone]
  return (
    <div
      ref={box}
      role={tone === 'danger' ? 'alert' : 'status'}
      tabIndex={-1}
      className={cx('flex items-start gap-3 rounded-card border px-4 py-3 text-[0.9375rem] outline-none', look)}
    >
      <Icon aria-hidden="true" className={cx('mt-0.5 size-5', mark)} />
      <div className="min-w-0">{children}</div>
    </div>
  )
}
